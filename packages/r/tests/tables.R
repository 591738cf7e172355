# Data frames to files and back, and settings: without the program. A warning fails.
options(warn = 2)
library(synthrisk)
own <- asNamespace("synthrisk")
refusal <- function(code) tryCatch({ code; "none" }, synthrisk_error = function(error) error$code)

folder <- own$private_folder()
if (.Platform$OS.type == "unix") stopifnot(format(file.info(folder)$mode) == "700")
table <- data.frame(
  "Gr\u00f6\u00dfe" = factor(c("klein", "gro\u00df, sehr", NA), c("klein", "mittel", "gro\u00df, sehr"), ordered = TRUE),
  text = c("a \"quoted\"", "b\nc", NA), number = c(0.1, 1 / 3, NA), whole = c(1L, NA, 100000L), yes = c(TRUE, NA, FALSE),
  check.names = FALSE
)
attr(table$number, "label") <- "a number"
file <- file.path(folder, "table.csv")
own$write_table(table, file)
if (.Platform$OS.type == "unix") stopifnot(format(file.info(file)$mode) == "600")
stopifnot(identical(own$read_table(file, table), table))
single <- data.frame(a = c("u", NA, "v", NA))
own$write_table(single, file)
stopifnot(identical(readLines(file), c("\"a\"", "\"u\"", "NA", "\"v\"", "NA")))
writeLines(c("a", "u", "", "v", ""), file)
stopifnot(identical(own$read_table(file, single), single))

# Of results, names and values of the table are text, and true and false logicals.
writeLines(c("a,variable,first_guess_value,heavy_tail,rank", "01,1,01,true,1.5", "02,2,02,,2"), file)
results <- own$read_table(file, list(a = factor("01")))
stopifnot(identical(unname(vapply(results, class, "")), c("factor", "character", "character", "logical", "numeric")))
own$remove_folder(folder)
stopifnot(!file.exists(folder))

# Times come back, and what stands for other numbers, or is several columns, is refused.
times <- as.POSIXct(c("2020-01-01 10:00:00", "2020-01-02 00:00:00", NA), tz = "UTC")
stopifnot(identical(own$restore_column(own$column_text(times, "x"), times), times))
stopifnot(identical(own$restore_column(own$column_text(as.Date(times), "x"), as.Date(times)), as.Date(times)))
large <- structure(c(4.9e-324, 9.9e-324), class = "integer64")
stopifnot(refusal(own$column_text(large, "x")) == "unsupported-column", refusal(own$column_text(matrix(c("a", "b"), 1), "x")) == "unsupported-column")
stopifnot(refusal(own$check_table(stats::setNames(data.frame(a = 1), ""))) == "unnamed-column")

# Merged categories are in no order.
merged <- own$restore_column(c("low", "other"), factor(c("low", "mid"), c("low", "mid"), ordered = TRUE))
stopifnot(identical(merged, factor(c("low", "other"), c("low", "mid", "other"))))

# Labelled numbers, as haven has them, keep their labels.
labelled <- structure(c(1, 2, 1), labels = c(no = 1, yes = 2), label = "asked", class = c("haven_labelled", "vctrs_vctr", "double"))
stopifnot(identical(own$restore_column(own$column_text(labelled, "x"), labelled), labelled))

stopifnot(
  refusal(own$column_text(c("NA", "b"), "x")) == "text-of-missing",
  refusal(own$column_text(c(1, Inf), "x")) == "infinite-value",
  refusal(own$column_text(list(1, 2), "x")) == "unsupported-column",
  refusal(synthrisk_evaluate(1)) == "no-data-frame",
  refusal(synthrisk_assess(table, list())) == "no-datasets",
  refusal(synthrisk_assess(table, table, minbucket = 5)) == "no-synds",
  refusal(synthrisk_evaluate(table, resume = TRUE)) == "no-out",
  refusal(synthrisk_evaluate(table, out = NA)) == "invalid-out",
  refusal(synthrisk_mask(table, "mdav", out = "masked")) == "unknown-setting",
  refusal(own$check_table(data.frame(a = 1, a = 2, check.names = FALSE))) == "repeated-column"
)

# A missing value that is a level is no category.
stopifnot(identical(own$declared_columns(data.frame(a = addNA(factor(c("u", NA), ordered = TRUE))))$a, list(categories = "u", ordered = TRUE)))

# One element is a list where the config has lists, and NULL is nothing.
listed <- function(...) as.character(jsonlite::toJSON(own$as_lists(list(...)), auto_unbox = TRUE))
stopifnot(
  listed(acceptance = NULL, synthesis = list(synthesized = "a")) == '{"synthesis":{"synthesized":["a"]}}',
  listed(synthesis = list(synthesized = "all"), utility = "off") == '{"synthesis":{"synthesized":"all"},"utility":"off"}',
  listed(identification = list(list(name = "one", known = "a"))) == '{"identification":[{"name":"one","known":["a"]}]}',
  listed(attributeRisk = list(marginals = list("a", c("b", "c")))) == '{"attributeRisk":{"marginals":[["a"],["b","c"]]}}',
  listed(mcmc = list(reproducibility = list(of = "rank", target = 0.9))) == '{"mcmc":{"reproducibility":{"of":"rank","target":0.9}}}',
  listed(variables = list(merge = list(type = "categorical", merge = list(u = "v")))) == '{"variables":{"merge":{"type":"categorical","merge":{"u":["v"]}}}}',
  listed(acceptance = list("a <= 1", "b <= 1")) == '{"acceptance":["a <= 1","b <= 1"]}',
  refusal(synthrisk_utility(table, table, variables = "text")) == "unnamed-setting"
)

# Flags: a list of names as CSV, a column's own again, a number without an exponent.
stopifnot(
  identical(own$words_of_flag("variables", c("a", "b, c")), "--variables=a,\"b, c\""),
  identical(own$words_of_flag("range", c("a=0,1", "b=0,1")), c("--range=a=0,1", "--range=b=0,1")),
  identical(own$words_of_flag("missing_codes", c(-9, 0.5)), "--missing-codes=-9,0.5"),
  identical(own$words_of_flag("seed", 1e5), "--seed=100000"), identical(own$words_of_flag("resume", TRUE), "--resume"),
  is.null(own$words_of_flag("k", NULL)), is.null(own$words_of_flag("details", FALSE)),
  identical(own$whole_path("there/is/none"), file.path(getwd(), "there/is/none"))
)

# Messages name arguments; settings are explained in a last line, and commands stay as they are.
said <- "Band it (--breaks a=0,10), or --missing category. `synthrisk plan TABLE --drop x`."
stopifnot(
  identical(own$in_r("--jobs <n> does not take '0'.", "evaluate"), "jobs does not take '0'."),
  identical(own$in_r("no option --missing-kk (did you mean --k?)\nsynthrisk mask --help shows it.", "mask"), "no option missing_kk (did you mean k?)\nsynthrisk mask --help shows it."),
  identical(own$in_r("drop it (--drop)", "assess"), "drop it (--drop)\nIn R: --drop is variables = list(A = list(drop = TRUE))."),
  identical(own$in_r(said, "evaluate"), paste0(said, "\nIn R: --breaks is variables = list(A = list(breaks = c(0, 18, 65))); --missing is the argument missing.")),
  identical(own$in_r("`synthrisk plan TABLE --write-zeros FILE` drafts -- it", "evaluate"), "`synthrisk plan TABLE --write-zeros FILE` drafts -- it")
)

# An order, or a level that no record has, makes categories; synthpop's object makes them of all factors.
factors <- data.frame(plain = factor(c("b", "a")), unused = factor(c("a", "b"), c("b", "a", "c")), number = 1:2)
declared <- own$declared_columns(factors)
stopifnot(
  identical(declared$plain, list(type = "categorical")), identical(declared$unused$categories, c("b", "a", "c")),
  is.null(declared$number), identical(own$declared_columns(factors, TRUE)$plain$categories, c("a", "b")),
  identical(own$declared_columns(factors, TRUE)$number$type, "continuous"),
  isTRUE(own$declared_columns(table)[[1]]$ordered)
)

# Settings of synthpop, without the seed.
made <- structure(list(
  call = quote(syn(data, cart.minbucket = 7, cart.cp = k)), method = c(a = "", b = "cart"), visit.sequence = c(a = 1, b = 2),
  predictor.matrix = matrix(c(0, 1, 0, 0), 2, dimnames = list(c("a", "b"), c("a", "b"))), smoothing = list(a = "", b = ""),
  proper = FALSE, n = 3, k = 3, seed = 99, rules = list(b = ""), cont.na = list(a = NA, b = NA), event = c(a = 0, b = 0),
  denom = c(a = 0, b = 0), catgroups = numeric()
), class = "synds")
stopifnot(refusal(synthpop_settings(made)) == "unknown-setting")
found <- synthpop_settings(made, cp = 1e-4)
stopifnot(
  found$minbucket == 7, found$cp == 1e-4, identical(unclass(found$predictors$b), "a"), !length(found$predictors$a),
  !length(found$others), !grepl("99", jsonlite::toJSON(found, auto_unbox = TRUE))
)
made$syn <- data.frame(a = factor(c("x", "y", "y"), ordered = TRUE), b = factor(c("u", "v", "u")))
stopifnot(refusal(synthpop_settings(made, cp = 1e-4)) == "ordered-predictor")
made$syn <- list(data.frame(a = factor(c("x", "y", "y")), b = factor(c("u", "v", "u"), ordered = TRUE)))
stopifnot(length(synthpop_settings(made, cp = 1e-4)$method) == 2)
made$rules <- list(b = "a == 1")
stopifnot(identical(unclass(synthpop_settings(made, cp = 1e-4)$others), "rules"))
made$denom <- c(a = 2, b = 0)
made$cont.na <- list(a = NA, b = 0)
made$call <- quote(syn(data, cart.maxdepth = 3))
stopifnot(setequal(unclass(synthpop_settings(made)$others), c("rules", "denom", "cont.na", "cart.maxdepth")))
stopifnot(refusal(synthpop_settings(structure(c(unclass(made), strata.syn = "u"), class = "synds"))) == "synthpop-strata")
made$k <- 2
stopifnot(refusal(synthpop_settings(made, cp = 1e-4)) == "other-records")

compared <- structure(list(figures = data.frame(run = c("one", "two"), of = "risk", measure = "x", value = c(1, NA), se = NA)), class = "synthrisk_comparison")
grDevices::pdf(NULL)
stopifnot(nrow(plot(compared)) == 2, refusal(plot(compared, "y")) == "unknown-measure")

before <- options(synthrisk.program = "/there/is/none")
stopifnot(refusal(synthrisk_evaluate(factors)) == "no-program")
options(before)
