# Reference values of test/risk/attack/riskutility.test.ts by R 4.2.2, with riskutility's own code, which is not needed whole:
#   Rscript test/risk/attack/reference-riskutility.R RISKUTILITY/R
# of riskutility 0.1.0 (commit 0e3454e; NEWS of 0.2.0 has no change of what is used here) and rpart 4.1.19. The tables are those of
# reference-tables.ts, each of 50 records, with the least and the greatest numbers of all three files in every one.
options(digits = 12, width = 150)
folder <- commandArgs(TRUE)[1]
# riskutility calls VIM::gowerD (VIM 6.2) without naming factors, which takes every column for a number. `as_numbers` says whether this
# stands in for that call, or for the distance that riskutility documents: 1 where categories differ. VIM 6.2.2 itself gives the same
# distances to 4e-16, the latter where it is told which columns are factors.
as_numbers <- FALSE
gower_of <- function(data.x, data.y = data.x, weights = rep(1, ncol(data.x))) {
  total <- matrix(0, nrow(data.x), nrow(data.y))
  for (v in seq_along(data.x)) {
    x <- data.x[[v]]
    y <- data.y[[v]]
    if (!is.numeric(x) && !as_numbers) {
      apart <- outer(as.character(x), as.character(y), "!=")
    } else {
      # Codes of each file by itself, as VIM has them.
      if (!is.numeric(x)) {
        x <- as.numeric(factor(x))
        y <- as.numeric(factor(y))
      }
      range_ <- diff(range(x, y))
      apart <- abs(outer(x, y, "-")) / (if (range_ == 0) 1 else range_)
    }
    total <- total + weights[v] / sum(weights) * apart
  }
  total
}
for (name in c("utils_internal", "nnaa", "epsilon_identifiability", "hitting_rate", "delta_presence", "population_uniqueness",
  "positive_information_disclosure", "max_info_leakage", "information_surprisal", "recordLinkage", "rapid")) {
  text <- gsub("VIM::gowerD", "gower_of", readLines(file.path(folder, paste0(name, ".R"))), fixed = TRUE)
  eval(parse(text = text))
}

source("test/risk/attack/reference-tables.R")
files <- list(draw(50), draw(50), draw(50))
for (f in 1:3) files[[f]][1:2, c("X", "Y")] <- data.frame(X = c(1000, 4002), Y = c(2000, 5096))
table_ <- files[[1]]
dataset <- files[[2]]
control <- files[[3]]
# A release that holds a half of the table.
copied <- rbind(table_[1:25, ], dataset[26:50, ])

of <- function(found, names) cat(unlist(found[names]), "\n")
for (release in list(dataset, copied)) {
  cat("nnaa\n")
  of(nnaa(table_, release, holdout = control), c("aa_train", "aa_train_left", "aa_train_right", "aa_holdout", "aa_holdout_left",
    "aa_holdout_right", "privacy_loss"))
  cat("hitting rate, at 0; identifiability\n")
  of(hitting_rate(table_, release), c("rate", "rate_at_zero"))
  cat(epsilon_identifiability(table_, release)$identifiability_rate, "\n")
  prob <- delta_presence(table_, release, c("A", "B"))$membership_prob
  cat("delta-presence: mean, least, largest\n", mean(prob), min(prob), max(prob), "\n")
  # recordLinkage(deterministic, nearest, uniform, truth = "row") of the numeric and categorical keys.
  for (key in list(c("A", "B"), c("A", "B", "X"))) {
    type <- sapply(table_[key], function(x) if (is.numeric(x)) "numeric" else "nominal")
    weights <- setNames(rep(1, length(key)), key)
    rng <- lapply(table_[key], function(x) if (is.numeric(x)) range(x) else NULL)
    risk <- sapply(1:50, function(i) {
      d <- .dist_to_candidates(table_[i, key], release[, key], key, type, weights, length(key), rng, "ignore")
      guess <- .choose_guess_set(d, 1:50, "nearest")
      if (i %in% guess) 1 / length(guess) else 0
    })
    cat("record linkage by", key, mean(risk), "\n")
  }
  for (target in c("C", "D")) {
    prior <- prop.table(table(factor(table_[[target]])))
    prior <- setNames(as.numeric(prior), names(prior))
    keys_of <- function(rows) paste(rows$A, rows$B)
    pid <- sapply(1:50, function(i) {
      rows <- release[keys_of(release) == keys_of(table_)[i], ]
      if (nrow(rows) == 0) return(0)
      posterior <- prop.table(table(factor(rows[[target]], levels = levels(table_[[target]]))))
      positive_information_disclosure(prior, setNames(as.numeric(posterior), names(posterior)))
    })
    leakage <- function(rows) max_info_leakage(unclass(prop.table(table(rows[[target]], keys_of(rows)))))
    cat("pid of", target, "mean, largest; leakage of the dataset, of the table\n", mean(pid), max(pid), leakage(release), leakage(table_), "\n")
  }
}
counts <- table(paste(table_$A, table_$B, table_$C))
shares <- prop.table(counts)[paste(table_$A, table_$B, table_$C)]
cat("surprisal: mean, largest\n", mean(information_surprisal(shares)), max(information_surprisal(shares)), "\n")
for (fraction in c(0.01, 0.2)) {
  found <- population_uniqueness(table_, c("A", "B", "C"), fraction)
  cat("population uniqueness", fraction, found$n_sample_uniques, "\n")
  for (model in found$comparison) of(model, c("p_unique", "global_risk", "n_population_uniques_est"))
}
grow <- function(target) rpart::rpart(reformulate(setdiff(c("A", "B", "X", "Y"), target), target), dataset,
  method = if (is.factor(dataset[[target]])) "class" else "anova",
  control = rpart::rpart.control(minsplit = 9, minbucket = 3, cp = -1, maxsurrogate = 0, xval = 0))
for (target in c("D", "C", "X", "Y")) {
  predicted <- predict(grow(target), table_)
  if (is.factor(table_[[target]])) {
    rate <- function(method, tau) .evaluate_categorical_rapid(table_[[target]], predicted, table_, tau, method, target, TRUE)$confidence_rate
    cat("RAPID", target, rate("RCS_marginal", 0.3), rate("RCS_conditional", 1), rate("NCE", 0.5), "\n")
  } else {
    rate <- function(metric) .evaluate_numeric_rapid(table_[[target]], predicted, table_, 10, "percentage", metric, 0.01, TRUE)$confidence_rate
    cat("RAPID", target, rate("symmetric"), rate("stabilised_relative"), "\n")
  }
}
