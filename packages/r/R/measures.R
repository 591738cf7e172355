# Measures of a release without a run, and masking.

# A command that prints one document of a table and the datasets of a release.
measure_release <- function(command, data, synthetic, settings, missing, quiet, control = NULL) {
  check_table(data)
  datasets <- datasets_of(synthetic)
  folder <- private_folder()
  on.exit(remove_folder(folder))
  write_table(data, file.path(folder, "table.csv"))
  files <- write_tables(datasets, folder, "synthetic")
  if (!is.null(control)) write_table(check_table(control, "The control"), file.path(folder, "control.csv"))
  arguments <- c(
    command, "table.csv", write_settings(folder, data, settings, missing),
    if (!is.null(control)) c("--control", "control.csv"), "--synthetic", files
  )
  answer <- call_program(arguments, folder, quiet)$answer
  structure(answer, class = paste0("synthrisk_", command))
}

synthrisk_utility <- function(data, synthetic, ..., missing = NULL, quiet = FALSE) {
  measure_release("utility", data, synthetic, list(...), missing, quiet)
}

synthrisk_attack <- function(data, synthetic, keys, target, ..., control = NULL, missing = NULL, quiet = FALSE) {
  settings <- list(...)
  settings$attack <- utils::modifyList(as.list(settings$attack), list(keys = keys, target = target))
  measure_release("attack", data, synthetic, settings, missing, quiet, control)
}

synthrisk_mask <- function(data, method, ..., settings = list(), missing = NULL, quiet = FALSE) {
  check_table(data)
  flags <- list(...)
  if (is_unnamed(flags)) refuse("unnamed-setting", "Settings of the method have names, as in k = 3.")
  folder <- private_folder()
  on.exit(remove_folder(folder))
  write_table(data, file.path(folder, "table.csv"))
  taken <- intersect(c("out", "config", "json"), names(flags))
  if (length(taken)) {
    refuse("unknown-setting", taken[1], " is no setting of the method: the result is a list, and settings = list(...) is the config.")
  }
  own <- unlist(Map(words_of_flag, c("method", names(flags)), c(list(method), flags)), use.names = FALSE)
  arguments <- c("mask", "table.csv", write_settings(folder, data, settings, missing), own, "--out", "masked")
  answer <- call_program(arguments, folder, quiet)$answer
  # Row i of the file is this record of the table.
  rows <- read_table(file.path(folder, "masked", "confidential", "masked-rows.csv"), list())
  masked <- read_table(file.path(folder, "masked", "release", "masked-1.csv"), data)
  structure(list(masked = masked, rows = rows, summary = answer), class = "synthrisk_mask")
}
