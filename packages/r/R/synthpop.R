# What synthpop's object says of how a release was made.

# Arguments of syn() that change what is released, and have no counterpart in trees here.
UNMAPPED <- c("rules", "rvalues", "cont.na", "semicont", "models", "denom", "event", "numtocat", "catgroups", "uniques.exclude")

synthpop_settings <- function(synds, minbucket = NULL, cp = NULL) {
  if (!inherits(synds, "synds")) refuse("no-synds", "synthpop_settings() takes an object that syn() of synthpop made.")
  if (!is.null(synds$strata.syn)) {
    refuse("synthpop-strata", "syn.strata() grew trees in each stratum alone, and the program's are of the whole table. Call syn() with the ",
      "strata among its variables. synthrisk_attack() and synthrisk_utility() measure the release as it is.")
  }
  method <- synds$method
  if (is.null(names(method))) names(method) <- colnames(synds$predictor.matrix)
  visits <- synds$visit.sequence
  if (is.numeric(visits)) visits <- names(method)[visits]
  used <- synds$predictor.matrix
  columns <- colnames(used)
  predictors <- lapply(stats::setNames(visits, visits), function(name) I(columns[used[name, ] == 1]))
  if (!is.null(synds$n) && !is.null(synds$k) && synds$k != synds$n) {
    refuse("other-records", "syn() made ", synds$k, " records of ", synds$n, ": only as many as the table has are assessed (k = n).")
  }
  # Values of these fields that stand for nothing: empty, NA, and column 0 where they number one.
  is_used <- function(name) {
    values <- unlist(synds[[name]])
    any(!is.na(values) & nzchar(as.character(values)) & !(name %in% c("denom", "event") & values == 0))
  }
  of_trees <- setdiff(grep("^cart\\.", names(synds$call), value = TRUE), c("cart.minbucket", "cart.cp"))
  others <- c(Filter(is_used, intersect(setdiff(UNMAPPED, "models"), names(synds))), of_trees)
  smoothing <- Filter(nzchar, lapply(as.list(synds$smoothing), function(way) if (is.null(way) || is.na(way)) "" else way))
  if (length(synds$syn)) refuse_ordered(if (is.data.frame(synds$syn)) synds$syn else synds$syn[[1]], predictors[method[visits] == "cart"])
  # No column kept: they stand in the order of visits.
  if (setequal(visits, names(method)) && all(nzchar(method))) method <- method[visits]
  list(
    method = as.list(method),
    visitSequence = I(visits),
    predictors = predictors,
    minbucket = number_of_call(synds$call, c("cart.minbucket", "minbucket"), minbucket, 5),
    cp = number_of_call(synds$call, c("cart.cp", "cp"), cp, 1e-8),
    proper = isTRUE(synds$proper),
    smoothing = if (length(smoothing)) smoothing else empty_object(),
    others = I(as.character(others))
  )
}

# rpart divides an ordered factor by a threshold in its order; trees of the program group its categories in any way.
refuse_ordered <- function(data, predictors) {
  ordered <- intersect(names(Filter(is.ordered, data)), unlist(predictors))
  if (length(ordered)) {
    refuse("ordered-predictor", "Column ", ordered[1], " is an ordered factor and predicts others. rpart divides it by its order, which trees ",
      "here have not. Call syn() with factor(", ordered[1], ", ordered = FALSE). synthrisk_attack() and synthrisk_utility() measure the release as it is.",
      place = list(field = ordered[1]))
  }
}

empty_object <- function() stats::setNames(list(), character())

# An argument that syn() passed on to rpart, which its object has in the call alone.
number_of_call <- function(call, names, given, default) {
  if (!is.null(given)) return(given)
  written <- as.list(call)[names]
  written <- Filter(Negate(is.null), written)
  if (!length(written)) return(default)
  if (is.numeric(written[[1]])) return(written[[1]])
  refuse("unknown-setting", "syn() was called with ", names[1], " = ", deparse(written[[1]]), ", whose value its object does not keep. ",
    "Name it: ", names[length(names)], " = NUMBER.", place = list(field = names[length(names)]))
}

# The datasets of a release: a data frame, a list of them, or synthpop's object.
datasets_of <- function(synthetic) {
  if (inherits(synthetic, "synds")) synthetic <- synthetic$syn
  if (inherits(synthetic, "synthrisk_run")) synthetic <- synthetic$synthetic
  if (is.data.frame(synthetic)) synthetic <- list(synthetic)
  if (!is.list(synthetic) || !length(synthetic)) refuse("no-datasets", "Give the synthetic data: a data frame, a list of them, or what syn() made.")
  for (l in seq_along(synthetic)) check_table(synthetic[[l]], paste("Synthetic dataset", l))
  synthetic
}
