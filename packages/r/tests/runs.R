# The package with the program, which SYNTHRISK_PROGRAM names.
library(synthrisk)
if (!nzchar(Sys.getenv("SYNTHRISK_PROGRAM"))) {
  message("SYNTHRISK_PROGRAM is not set: nothing is run.")
  quit()
}
caught <- function(code) tryCatch({ code; NULL }, synthrisk_error = identity)
left <- function() list.files(tempdir(), "^synthrisk-")

set.seed(1)
table <- data.frame(
  Gr = factor(sample(c("low", "mid", "high"), 120, TRUE), c("low", "mid", "high", "top"), ordered = TRUE),
  job = sample(c("a", "b"), 120, TRUE), area = factor(sample(1:3, 120, TRUE))
)
names(table)[1] <- "Gr\u00f6\u00dfe"
attr(table$job, "label") <- "work"
quick <- list(precision = "quick", chains = 2L, burnIn = 20L, draws = 4L, pairedChains = 2L, pairedDraws = 4L)

# Relative to where R is, as any path in R.
setwd(tempdir())
out <- "kept"
said <- character()
run <- withCallingHandlers(
  synthrisk_evaluate(table, mcmc = quick, synthesis = list(datasets = 2L), out = out, acceptance = "attributeRisk.probabilityMean <= 0"),
  message = function(message) {
    said <<- c(said, conditionMessage(message))
    invokeRestart("muffleMessage")
  }
)
stopifnot(
  inherits(run, "synthrisk_run"), length(said) > 3, !run$accepted, length(run$synthetic) == 2, dir.exists(out), !length(left()),
  identical(lapply(run$synthetic[[1]], attributes), lapply(table, attributes)), is.data.frame(run$variable_risk),
  nrow(summary(run)$figures) > 3, identical(levels(run$attribute_risk[[names(table)[1]]]), levels(table[[1]]))
)
print(run)
grDevices::pdf(NULL)
plot(run)

assessed <- synthrisk_assess(table, run, mcmc = quick, quiet = TRUE)
stopifnot(assessed$accepted, length(left()) == 1)
compared <- synthrisk_compare(made = run, again = assessed)
stopifnot(setequal(compared$figures$run, c("made", "again")))
print(compared)
plot(compared)
file <- file.path(tempdir(), "report.html")
stopifnot(identical(basename(synthrisk_report(run, file, open = FALSE)), "report.html"), file.size(file) > 1e4)

print(synthrisk_utility(table, run, quiet = TRUE))
attack <- synthrisk_attack(table, run, keys = names(table)[1], target = "job", quiet = TRUE)
stopifnot(any(grepl("DiSCO", utils::capture.output(print(attack)))))
copied <- synthrisk_utility(table, list(table[rev(seq_len(nrow(table))), ]), quiet = TRUE)
stopifnot(any(grepl("1 of 1 datasets is the confidential table itself", utils::capture.output(print(copied)))))
masked <- synthrisk_mask(data.frame(x = round(stats::rnorm(120), 3), g = table$area), "mdav", k = 4, quiet = TRUE)
stopifnot(nrow(masked$masked) == 120, identical(levels(masked$masked$g), levels(table$area)), all(table(masked$masked$x) >= 4))
print(masked)
amounts <- data.frame("in, \"come\"" = round(stats::rnorm(120), 3), tax = round(stats::rnorm(120), 3), check.names = FALSE)
one <- synthrisk_mask(amounts, "mdav", variables = names(amounts)[1], k = NULL, seed = 1e5, missing_codes = -99, details = FALSE, quiet = TRUE)
stopifnot(identical(one$masked$tax, amounts$tax), !identical(one$masked[[1]], amounts[[1]]), one$summary$seed == 1e5)

# Errors have a code and a place, and leave no file.
before <- left()
wrong <- caught(synthrisk_evaluate(table, mcmc = list(precison = "quick"), quiet = TRUE))
stopifnot(wrong$code == "invalid-config", wrong$field == "mcmc", wrong$exit_code == 2)
table$job[2] <- NA
missing <- caught(synthrisk_evaluate(table, mcmc = quick, quiet = TRUE))
stopifnot(missing$code == "missing-values", missing$row == 2, missing$column == 2)
stopifnot(setequal(left(), before))
with <- synthrisk_evaluate(table, mcmc = quick, missing = "category", synthesis = list(datasets = 5L), quiet = TRUE)
# A column of the table is not that of its name in a table of results.
names(table)[3] <- "variable"
clash <- synthrisk_evaluate(table, mcmc = quick, missing = "category", synthesis = list(datasets = 2L), quiet = TRUE)
stopifnot(is.character(clash$variable_risk$variable), identical(levels(clash$attribute_risk$variable), levels(table$variable)))
stopifnot(!any(is.na(unlist(lapply(with$synthetic, function(one) one$area)))))
