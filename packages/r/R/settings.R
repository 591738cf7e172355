# Settings: lists with the fields of the program's config, and what the classes of columns say.

# Fields that hold a list even where it has one element.
LISTS <- c(
  "synthesized", "unknown", "known", "acceptance", "categories", "missingCodes", "breaks", "masses", "bands", "grid",
  "keys", "target", "marginals", "regressions"
)

as_lists <- function(settings) {
  if (!is.list(settings)) return(settings)
  for (name in names(settings)) {
    field <- settings[[name]]
    if (name %in% LISTS && is.atomic(field) && !identical(field, "all")) settings[[name]] <- I(field)
    else settings[[name]] <- as_lists(field)
  }
  settings
}

# What the classes of columns say of how the program is to read them.
declared_columns <- function(data, all = FALSE) {
  declared <- lapply(data, function(column) {
    if (is.factor(column)) {
      # A level that no record has, or an order, is known from elsewhere than from the records.
      own <- all || is.ordered(column) || any(!levels(column) %in% column)
      if (!own) return(list(type = "categorical"))
      c(list(categories = enc2utf8(levels(column))), if (is.ordered(column)) list(ordered = TRUE))
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
  if (length(settings) && (is.null(names(settings)) || any(!nzchar(names(settings))))) {
    refuse("unnamed-setting", "Settings have the names of the config, as in synthesis = list(datasets = 5).")
  }
  own <- settings$variables
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

# Whether settings of a variable say how it is read, so that its class does not.
is_reading <- function(fields) any(c("type", "categories", "breaks", "drop") %in% names(fields))
