# How results look in the console and in a figure.

# The verdict's figures, one row each: name, value, standard error, and what it would be by chance or without a release.
summary.synthrisk_run <- function(object, ...) {
  found <- object$summary
  figures <- found$headline
  structure(list(
    table = found$table, model = found$model$name, datasets = found$synthesis$datasets,
    figures = if (is.data.frame(figures)) figures[intersect(c("name", "value", "se", "baseline"), names(figures))],
    acceptance = found$acceptance, warnings = found$warnings, assessable = !isFALSE(found$assessable),
    reason = c(found$attributeRiskReason, found$assessableReason), accepted = object$accepted
  ), class = "summary.synthrisk_run")
}

print.summary.synthrisk_run <- function(x, ...) {
  count <- function(number) format(number, big.mark = ",")
  cat(count(x$table$records), " records, ", count(x$table$combinations), " combinations, ", x$datasets, " synthetic dataset",
    if (x$datasets != 1) "s", ", model ", x$model, "\n", sep = "")
  if (length(x$reason)) writeLines(strwrap(paste0("Not measured: ", x$reason), exdent = 2))
  if (is.data.frame(x$figures) && nrow(x$figures)) print(x$figures, row.names = FALSE, digits = 3)
  if (is.data.frame(x$acceptance) && nrow(x$acceptance)) {
    cat("Acceptance rules:\n")
    print(x$acceptance[intersect(c("rule", "value", "met"), names(x$acceptance))], row.names = FALSE, digits = 3)
  } else {
    cat("No acceptance rule was set: a person must judge the numbers.\n")
  }
  if (is.data.frame(x$warnings)) for (message in x$warnings$message) writeLines(strwrap(paste("Warning:", message), exdent = 2))
  invisible(x)
}

print.synthrisk_run <- function(x, ...) {
  print(summary(x))
  tables <- Filter(function(name) !is.null(x[[name]]), c("attribute_risk", "variable_risk", "identification_risk"))
  if (length(tables)) cat("Tables, confidential: ", paste0("$", tables, collapse = ", "), "\n", sep = "")
  invisible(x)
}

# What an intruder guesses right of each variable, without the release and with it.
guesses <- function(run) {
  risk <- run$summary$attributeRisk
  if (!is.data.frame(risk) || !nrow(risk)) {
    refuse("no-attribute-risk", "Attribute risk was not measured: there is nothing to plot. ", run$summary$attributeRiskReason)
  }
  variables <- risk$variables[[1]]
  data.frame(
    variable = variables$variable, before = variables$firstGuessRightBefore, after = variables$firstGuessRightAfter,
    se = if (is.null(variables$firstGuessRightAfterSe)) NA else variables$firstGuessRightAfterSe
  )
}

plot.synthrisk_run <- function(x, ...) {
  shown <- guesses(x)
  title <- "Values guessed right, without and with the release"
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    shown$variable <- factor(shown$variable, rev(shown$variable))
    long <- data.frame(
      variable = rep(shown$variable, 2), share = c(shown$before, shown$after),
      guess = rep(c("without the release", "with it"), each = nrow(shown))
    )
    aes <- ggplot2::aes(x = .data$share, y = .data$variable, colour = .data$guess)
    return(ggplot2::ggplot(long, aes) + ggplot2::geom_point() + ggplot2::xlim(0, 1) +
      ggplot2::labs(x = "share of records", y = NULL, colour = NULL, title = title))
  }
  rows <- rev(seq_len(nrow(shown)))
  graphics::dotchart(shown$before[rows], labels = shown$variable[rows], xlim = c(0, 1), xlab = "share of records", main = title, ...)
  graphics::points(shown$after[rows], seq_along(rows), pch = 19)
  graphics::segments(shown$before[rows], seq_along(rows), shown$after[rows], seq_along(rows))
  graphics::legend("bottomright", c("without the release", "with it"), pch = c(21, 19), bty = "n")
  invisible(shown)
}

print.synthrisk_comparison <- function(x, ...) {
  wide <- stats::reshape(x$figures[c("run", "measure", "value")], idvar = "measure", timevar = "run", direction = "wide")
  names(wide) <- sub("^value\\.", "", names(wide))
  print(wide, row.names = FALSE, digits = 3)
  if (!is.null(x$found$mapReason)) writeLines(strwrap(x$found$mapReason))
  invisible(x)
}

plot.synthrisk_comparison <- function(x, measure = NULL, ...) {
  risks <- unique(x$figures$measure[x$figures$of == "risk"])
  if (is.null(measure)) measure <- risks[1]
  shown <- x$figures[x$figures$measure == measure, ]
  if (all(is.na(shown$value))) refuse("unknown-measure", "The runs have no measure ", measure, " in common.")
  reach <- 2 * ifelse(is.na(shown$se), 0, shown$se)
  graphics::dotchart(shown$value, labels = shown$run, xlab = measure, xlim = range(shown$value - reach, shown$value + reach, na.rm = TRUE), ...)
  graphics::segments(shown$value - reach, seq_len(nrow(shown)), shown$value + reach, seq_len(nrow(shown)))
  invisible(shown)
}

# A measure's figures that are single numbers.
print_numbers <- function(document, title) {
  cat(title, "\n", sep = "")
  numbers <- Filter(function(value) is.numeric(value) && length(value) == 1, unclass(document))
  if (length(numbers)) print(data.frame(figure = names(numbers), value = unlist(numbers)), row.names = FALSE, digits = 3)
  cat("All of it: names(x), str(x, 1)\n")
}

# Figures of datasets that are the table itself are not of synthetic data.
print_copies <- function(copies) {
  copied <- copies$identicalDatasets
  if (isTRUE(copied > 0)) {
    writeLines(strwrap(paste0("Warning: ", copied, " of ", NROW(copies$datasets), " datasets", if (copied == 1) " is" else " are",
      " the confidential table itself, in this or another order: figures are not of synthetic data. Leave such datasets out."), exdent = 2))
  }
}

print.synthrisk_utility <- function(x, ...) {
  print_numbers(c(x[c("records", "datasets")], x$figures), "Utility of the release")
  print_copies(x$copies)
  invisible(x)
}

print.synthrisk_attack <- function(x, ...) {
  cat("Disclosure by other tools' measures, means over the datasets\n")
  print(data.frame(target = x$disclosure$target, x$disclosure$mean[c("repU", "DiSCO")]), row.names = FALSE, digits = 3)
  print_copies(x$copies)
  cat("All of it: names(x), str(x, 1)\n")
  invisible(x)
}

print.synthrisk_mask <- function(x, ...) {
  cat(nrow(x$masked), " records masked by ", x$summary$method, ", information loss ",
    format(x$summary$informationLossPercent, digits = 3), " %: $masked\n", sep = "")
  invisible(x)
}
