# The tables of reference-tables.ts: each call of draw() gives the next.
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
