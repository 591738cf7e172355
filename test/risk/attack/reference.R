# Reference values of test/risk/attack by R 4.2.2, with synthpop's and sdcMicro's own code, which are not needed whole:
#   Rscript test/risk/attack/reference.R SYNTHPOP/R/disclosure.R SDCMICRO
# of synthpop 1.9-2 and sdcMicro 5.8.1; the second compiles Suda2.h with Rcpp. The tables are those of reference-tables.ts.
options(digits = 12, width = 150)
arguments <- commandArgs(TRUE)
source(arguments[1])
source(file.path(arguments[2], "R", "indivRisk.R"), local = indiv <- new.env())

state <- 2024
below <- function(bound) {
  state <<- (48271 * state) %% 2147483647
  state %% bound
}
draw <- function(records) {
  found <- do.call(rbind, lapply(1:records, function(i) {
    a <- below(3)
    b <- min(3, below(5))
    c <- min(5, below(9))
    d <- if (below(100) < 20 + 30 * a) 1 else 0
    x <- 1000 + 500 * a + below(2003)
    y <- 2000 + 700 * b + below(997)
    data.frame(A = paste0("v", a), B = paste0("v", b), C = paste0("v", c), D = paste0("v", d), X = x, Y = y)
  }))
  # Levels in one order in every table: synthpop's code adds up tables of counts cell by cell.
  for (v in c("A", "B", "C", "D")) found[[v]] <- factor(found[[v]])
  found
}
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
