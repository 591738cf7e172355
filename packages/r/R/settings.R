# Settings: lists with the fields of the program's config, and what the classes of columns say.

# Fields that hold a list even where it has one element: * is any column or category, [] an element.
LISTS <- c(
  "acceptance", "missingCodes", "synthesis.synthesized", "attributeRisk.acceptanceRegion", "attributeRisk.marginals[]",
  "attributeRisk.candidates.unknown", "attributeRisk.scenarios[].candidates.unknown", "attributeRisk.scenarios[].acceptance",
  "attributeRisk.scenarios[].acceptanceRegion", "identification[].known", "identification[].synthesized", "identification[].sweep.radii",
  "attack.keys", "attack.target", "attack.linkability[]", "utility.ways", "utility.propensity", "utility.regressions",
  "utility.patterns.by", "utility.patterns.of",
  "variables.*.categories", "variables.*.missingCodes", "variables.*.breaks", "variables.*.masses", "variables.*.candidates.bands",
  "variables.*.candidates.grid", "variables.*.merge.*"
)

# Settings as JSON has them. A field that is NULL is left out.
as_lists <- function(settings, path = character()) {
  at <- paste(path, collapse = ".")
  if (!is.list(settings)) return(if (at %in% LISTS && !identical(settings, "all")) I(settings) else settings)
  if (!length(settings)) return(settings)
  settings <- Filter(Negate(is.null), settings)
  below <- function(name) {
    if (is.null(name)) paste0(at, "[]") else c(path, if (at %in% c("variables", "variables.*.merge")) "*" else name)
  }
  settings[] <- lapply(seq_along(settings), function(i) as_lists(settings[[i]], below(names(settings)[i])))
  settings
}

# What the classes of columns say of how the program is to read them.
declared_columns <- function(data, all = FALSE) {
  declared <- lapply(data, function(column) {
    if (is.factor(column)) {
      # A level that no record has, or an order, is known from elsewhere than from the records. A level NA is missing.
      levels <- stats::na.omit(levels(column))
      own <- all || is.ordered(column) || any(!levels %in% column)
      if (!own) return(list(type = "categorical"))
      c(list(categories = enc2utf8(as.vector(levels))), if (is.ordered(column)) list(ordered = TRUE))
    } else if (is.character(column) || is.logical(column)) {
      list(type = "categorical")
    } else if (all) {
      list(type = "continuous")
    }
  })
  Filter(Negate(is.null), declared)
}

# The config of a call, as a file of its folder.
write_settings <- function(folder, data, settings, missing = NULL, declare_all = FALSE) {
  own <- settings$variables
  if (is_unnamed(settings)) refuse("unnamed-setting", "Settings have the names of the config, as in synthesis = list(datasets = 5).")
  if (is_unnamed(own)) refuse("unnamed-setting", "Settings of variables have their names, as in variables = list(age = list(drop = TRUE)).")
  variables <- declared_columns(data[setdiff(names(data), names(Filter(is_reading, own)))], declare_all)
  settings$variables <- utils::modifyList(variables, as.list(own))
  if (!length(settings$variables)) settings$variables <- NULL
  if (!is.null(missing)) settings$synthesis <- utils::modifyList(as.list(settings$synthesis), list(missing = missing))
  c("--config", write_json(as_lists(settings), folder, "settings.json"))
}

# A file of the folder; its name.
write_json <- function(document, folder, name) {
  text <- jsonlite::toJSON(document, auto_unbox = TRUE, null = "null", digits = NA)
  connection <- with_private_files(file(file.path(folder, name), "wb"))
  on.exit(close(connection))
  writeLines(enc2utf8(text), connection, useBytes = TRUE)
  name
}

is_unnamed <- function(settings) length(settings) > 0 && (is.null(names(settings)) || !all(nzchar(names(settings))))

# Whether settings of a variable say how it is read, so that its class does not.
is_reading <- function(fields) any(c("type", "categories", "breaks", "drop") %in% names(fields))
