# Stands in for syn() of synthpop where that package is not installed: trees by rpart, as synthpop's method "cart" draws from
# them, for columns that are factors or numbers. The object has the fields of synthpop's that synthrisk reads.
grow_releases <- function(data, visit.sequence, method, m = 1, cart.minbucket = 5, cart.cp = 1e-8) {
  call <- as.call(c(quote(syn), list(cart.minbucket = cart.minbucket, cart.cp = cart.cp)))
  method <- stats::setNames(method[names(data)], names(data))
  before <- function(name) visit.sequence[seq_len(match(name, visit.sequence) - 1)]
  predictor.matrix <- matrix(0, length(data), length(data), dimnames = list(names(data), names(data)))
  for (name in visit.sequence) predictor.matrix[name, before(name)] <- 1
  draw <- function() {
    released <- data
    for (name in visit.sequence[method[visit.sequence] != ""]) {
      used <- names(data)[predictor.matrix[name, ] == 1]
      if (method[[name]] == "sample") released[[name]] <- sample(data[[name]], nrow(data), replace = TRUE)
      else released[[name]] <- draw_from_tree(data[[name]], data[used], released[used], cart.minbucket, cart.cp)
    }
    released
  }
  syn <- if (m == 1) draw() else replicate(m, draw(), simplify = FALSE)
  structure(list(
    call = call, m = m, syn = syn, method = method, visit.sequence = stats::setNames(match(visit.sequence, names(data)), visit.sequence),
    predictor.matrix = predictor.matrix, smoothing = stats::setNames(as.list(rep("", length(data))), names(data)), proper = FALSE,
    n = nrow(data), k = nrow(data)
  ), class = "synds")
}

draw_from_tree <- function(y, x, released, minbucket, cp) {
  is_class <- is.factor(y)
  tree <- rpart::rpart(y ~ ., data = cbind(y, x), method = if (is_class) "class" else "anova", minbucket = minbucket, cp = cp)
  if (is_class) {
    shares <- stats::predict(tree, released)
    return(factor(apply(shares, 1, function(row) sample(colnames(shares), 1, prob = row)), levels(y)))
  }
  # Each row gets the value of a record of its leaf; where it stops before one, it goes on by chance.
  nodes <- as.numeric(row.names(tree$frame))
  leaves <- nodes[tree$where]
  tree$frame$yval <- nodes
  vapply(stats::predict(tree, released), function(node) {
    while (!node %in% leaves) node <- 2 * node + sample(0:1, 1)
    donors <- y[leaves == node]
    donors[sample.int(length(donors), 1)]
  }, 0)
}
