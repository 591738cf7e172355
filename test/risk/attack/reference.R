# Reference values of test/risk/attack by R 4.2.2, with synthpop's and sdcMicro's own code, which are not needed whole:
#   Rscript test/risk/attack/reference.R SYNTHPOP/R/disclosure.R SDCMICRO RAPID/R
# of synthpop 1.9-2, sdcMicro 5.8.1 and RAPID 0.1.0; the second compiles Suda2.h with Rcpp. The tables are those of reference-tables.ts.
options(digits = 12, width = 150)
arguments <- commandArgs(TRUE)
source(arguments[1])
source(file.path(arguments[2], "R", "indivRisk.R"), local = indiv <- new.env())

source("test/risk/attack/reference-tables.R")
table_ <- draw(80)
dataset <- draw(80)

for (target in c("D", "C")) {
  keys <- setdiff(c("A", "B", "C", "D"), target)
  found <- disclosure.data.frame(dataset, table_, keys = keys, target = target, print.flag = FALSE, compare.synorig = FALSE,
    thresh_2way = c(1e9, 80))
  cat("disclosure of", target, "\n")
  # Its TCAP is the TCAP_alt of the vignette of 1.9-3, which defines TCAP by what `disclosure` counts.
  allCAPs <- found$allCAPs
  colnames(allCAPs)[colnames(allCAPs) == "TCAP"] <- "TCAP_alt"
  print(cbind(found$ident, found$attrib, allCAPs, TCAP = 100 * found$attrib$DiSCO / found$attrib$DiS))
}

cat("individual risk, sampling fraction 0.2\n")
counts <- c(1, 2, 3, 5, 20)
print(indiv$indivRisk(list(freqCalc = matrix(0, 5, 2), fk = counts, Fk = counts / 0.2, keyVars = 1), method = "approx")$rk)

Rcpp::sourceCpp(code = paste0('
#include <Rcpp.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
#include <math.h>
#include <stdio.h>
#include <float.h>
#include <limits.h>
#include <time.h>
#include "', file.path(arguments[2], "src", "Framework.h"), '"
static constexpr int es_NbHashBit = 16;
static constexpr int es_NbHashList = 1 << es_NbHashBit;
#include "', file.path(arguments[2], "src", "Suda2.h"), '"
// [[Rcpp::export]]
Rcpp::NumericMatrix suda(Rcpp::NumericMatrix data, double fraction) {
  Rcpp::List found = Suda2(data, Rcpp::wrap(-999), Rcpp::wrap(data.ncol()), Rcpp::wrap(fraction), Rcpp::wrap(true));
  return found["Res"];
}'))
codes <- function(data) data.matrix(data)
for (fraction in c(0.01, 0.1)) {
  found <- suda(codes(table_[, c("A", "B", "C", "D")]), fraction)
  cat("SUDA and DIS-SUDA scores above 0, fraction", fraction, "\n")
  scored <- which(found[, 5] > 0)
  print(cbind(record = scored, suda = found[scored, 5], dis = found[scored, 6]))
}

# RAPID: rules of the package RAPID 0.1.0 (evaluate_categorical.R, evaluate_numeric.R, in the folder of the third argument; those of
# riskutility are the same) on what trees of rpart 4.1.19 predict. The control is judged by shares of the table.
source(file.path(arguments[3], "evaluate_categorical.R"))
source(file.path(arguments[3], "evaluate_numeric.R"))
control <- draw(50)
grow <- function(target, rows, leaf) rpart::rpart(reformulate(setdiff(c("A", "B", "X", "Y"), target), target), rows,
  method = if (is.factor(rows[[target]])) "class" else "anova",
  control = rpart::rpart.control(minsplit = 3 * leaf, minbucket = leaf, cp = -1, maxsurrogate = 0, xval = 0))
# Gains or errors of people, by what each of some trees predicts of them.
scores <- function(target, people, votes) {
  truth <- table_[[target]]
  if (!is.factor(truth)) {
    median_ <- apply(simplify2array(votes), 1, median)
    return(evaluate_numeric(people[[target]], median_, people, "symmetric", 0.1, "proportion", return_all_records = TRUE)$rows_risk_df$symmetric_error)
  }
  mean_ <- Reduce(`+`, votes) / length(votes)
  if (identical(people, table_)) return(evaluate_categorical(truth, mean_, 0.3, table_, "RCS_marginal", target)$normalized_gain)
  own <- mean_[cbind(seq_len(nrow(people)), match(people[[target]], levels(truth)))]
  b <- as.numeric(prop.table(table(truth))[as.character(people[[target]])])
  (own - b) / (1 - b)
}
found <- function(target, people, votes) {
  of <- scores(target, people, votes)
  if (is.factor(table_[[target]])) of > 0.3 else of < 0.1
}
for (leaf in c(3, 1)) for (target in c("D", "C", "X", "Y")) {
  fit <- grow(target, dataset, leaf)
  of <- function(people) list(predict(fit, people))
  cat("RAPID", leaf, target, mean(found(target, table_, of(table_))), mean(found(target, control, of(control))),
    mean(scores(target, table_, of(table_))), "\n")
}
# A tree on each of three datasets, voting together: shares, difference, and their errors by a jackknife and Wilson's interval.
datasets <- list(dataset, draw(80), draw(80))
half_width <- function(share, n) (prop.test(share * n, n, correct = FALSE)$conf.int[2] - prop.test(share * n, n, correct = FALSE)$conf.int[1]) / 2 / qnorm(0.975)
for (target in c("D", "Y")) {
  fits <- lapply(datasets, function(rows) grow(target, rows, 3))
  files <- list(table_, control)
  of <- function(people, which) found(target, people, lapply(fits[which], predict, people))
  shares <- sapply(files, function(people) mean(of(people, 1:3)))
  without <- lapply(files, function(people) sapply(1:3, function(l) of(people, -l)))
  jackknife <- function(values) 2 / 3 * sum((values - mean(values))^2)
  persons <- sapply(without, function(one) sum(apply(one, 1, jackknife)) / nrow(one)^2)
  people <- mapply(half_width, shares, c(80, 50))^2
  beyond <- function(values, which) max(0, jackknife(values) - sum(persons[which]))
  by <- sapply(without, colMeans)
  cat("RAPID of three datasets", target, shares, sqrt(people[1] + beyond(by[, 1], 1)), sqrt(people[2] + beyond(by[, 2], 2)),
    sqrt(sum(people) + beyond(by[, 1] - by[, 2], 1:2)), "\n")
}

# l-diversity (Machanavajjhala et al. 2007) and t-closeness (Li et al. 2007) by their definitions; C is taken for ordered as well.
for (target in c("D", "C")) for (of in c("table", "dataset")) {
  rows <- if (of == "table") table_ else dataset
  counts <- table(interaction(rows$A, rows$B, drop = TRUE), factor(rows[[target]]))
  shares <- prop.table(counts, 1)
  file <- prop.table(colSums(counts))
  entropies <- apply(shares, 1, function(p) -sum(p[p > 0] * log(p[p > 0])))
  cat("diversity", target, of, min(rowSums(counts > 0)), exp(min(entropies)), max(apply(shares, 1, function(p) sum(abs(p - file)) / 2)),
    max(apply(shares, 1, function(p) sum(abs(cumsum(p) - cumsum(file))) / (length(file) - 1))), "\n")
}
