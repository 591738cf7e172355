# Reference values of test/utility, by R 4.2.2 with MASS 7.3-58 and rpart 4.1-19: Rscript test/utility/reference.R
# The tables are those of test/utility/reference-tables.ts. pMSE and its expectation are written out as in utility.gen of
# synthpop (Nowok, Raab and Dibben 2016; Snoke et al. 2018).
options(digits = 12, width = 150)
library(MASS)
library(rpart)

tables <- function(datasets, kind) {
  state <- 2026
  below <- function(bound) {
    state <<- (48271 * state) %% 2147483647
    state %% bound
  }
  kept <- NULL
  lapply(0:datasets, function(l) {
    rows <- lapply(1:400, function(i) {
      if (l == 0 || kind == "full") {
        sex <- below(2)
        age <- min(3, below(6))
      } else {
        sex <- kept$SEX[i]
        age <- kept$AGE[i]
      }
      level <- below(100) + (if (l == 0) 8 else 5) * age + 10 * sex
      educ <- if (level < 45) 0 else if (level < 90) 1 else 2
      data.frame(SEX = sex, AGE = age, EDUC = educ, INCOME = 1000 + 150 * educ + 100 * age + below(1000))
    })
    table <- do.call(rbind, rows)
    if (l == 0) kept <<- table
    for (v in c("SEX", "AGE", "EDUC")) table[[v]] <- factor(table[[v]] + 1, levels = 1:c(SEX = 2, AGE = 4, EDUC = 3)[v])
    table
  })
}

fits <- list(
  logistic = function(d) summary(glm(I(EDUC == "2") ~ SEX + AGE + INCOME, binomial, d, epsilon = 1e-14))$coefficients[, 1:2],
  linear = function(d) summary(lm(INCOME ~ AGE * SEX + EDUC, d))$coefficients[, 1:2],
  ordered = function(d) {
    d$EDUC <- ordered(d$EDUC)
    d$SCALED <- d$INCOME / 1000
    fit <- polr(EDUC ~ AGE + SEX, d, Hess = TRUE, control = list(reltol = 1e-16, maxit = 1000))
    summary(fit)$coefficients[, 1:2]
  }
)

combine <- function(q, u, kind) {
  m <- length(q)
  b <- var(q)
  v <- mean(u)
  if (kind == "partial") {
    T <- b / m + v
    df <- (m - 1) * (1 + v * m / b)^2
  } else {
    T <- (1 + 1 / m) * b - v
    df <- (m - 1) * (1 - v / ((1 + 1 / m) * b))^2
    if (T <= 0) {
      T <- v
      df <- Inf
    }
  }
  half <- qt(0.975, df) * sqrt(T)
  c(estimate = mean(q), se = sqrt(T), df = df, low = mean(q) - half, high = mean(q) + half)
}

pmse <- function(original, dataset, formula) {
  both <- rbind(original, dataset)
  both$t <- rep(0:1, c(nrow(original), nrow(dataset)))
  fit <- suppressWarnings(glm(formula, binomial, both, epsilon = 1e-13, maxit = 100))
  N <- nrow(both)
  cc <- nrow(dataset) / N
  df <- fit$rank - 1
  found <- sum((fitted(fit) - cc)^2) / N
  expected <- df * (1 - cc)^2 * cc / N
  c(rank = fit$rank, pmse = found, expected = expected, ratio = found / expected,
    standardized = (found - expected) / (sqrt(2 * df) * (1 - cc)^2 * cc / N))
}

tree <- function(original, dataset) {
  both <- rbind(original, dataset)
  both$t <- factor(rep(0:1, c(nrow(original), nrow(dataset))))
  fit <- rpart(t ~ SEX + AGE + EDUC, both, method = "class",
    control = rpart.control(cp = 1e-8, minbucket = 5, minsplit = 15, maxsurrogate = 0, maxcompete = 0, xval = 0))
  mean((predict(fit)[, 2] - nrow(dataset) / nrow(both))^2)
}

cramer <- function(a, b) {
  counts <- table(a, b)
  expected <- outer(rowSums(counts), colSums(counts)) / sum(counts)
  sqrt(sum((counts - expected)^2 / expected) / sum(counts) / (min(dim(counts)) - 1))
}

for (kind in c("full", "partial")) {
  all <- tables(5, kind)
  cat("=====", kind, "\n")
  for (name in names(fits)) {
    cat("--", name, "table\n")
    print(fits[[name]](all[[1]]))
    found <- lapply(all[-1], fits[[name]])
    cat("-- combined\n")
    print(t(sapply(rownames(found[[1]]), function(term)
      combine(sapply(found, function(f) f[term, 1]), sapply(found, function(f) f[term, 2])^2, kind))))
  }
  cat("-- pmse main\n")
  print(pmse(all[[1]], all[[2]], t ~ SEX + AGE + EDUC + INCOME))
  cat("-- pmse pairs\n")
  print(pmse(all[[1]], all[[2]], t ~ (SEX + AGE + EDUC + scale(INCOME))^2))
  cat("-- tree\n")
  print(tree(all[[1]], all[[2]]))
  cat("-- associations SEX-AGE, AGE-EDUC; eta EDUC-INCOME, AGE-INCOME\n")
  for (d in all[1:2]) {
    print(c(cramer(d$SEX, d$AGE), cramer(d$AGE, d$EDUC),
      sqrt(summary(lm(INCOME ~ EDUC, d))$r.squared), sqrt(summary(lm(INCOME ~ AGE, d))$r.squared)))
  }
  cat("-- sums of absolute deviations over tables of 1, 2 and 3 of SEX, AGE, EDUC\n")
  for (ways in 1:3) {
    sets <- combn(c("SEX", "AGE", "EDUC"), ways, simplify = FALSE)
    print(sum(sapply(sets, function(s) sum(abs(table(all[[1]][s]) - table(all[[2]][s]))))))
  }
}
