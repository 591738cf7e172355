# Runs: evaluate, assess, and what belongs to them.

# Carries out a command whose results are a folder. In a temporary one they last as long as the session.
run_command <- function(command, data, out, quiet, resume = FALSE, jobs = NULL, prepare) {
  check_table(data)
  if (isTRUE(resume) && is.null(out)) refuse("no-out", "resume = TRUE needs the folder of the run that stopped: out = \"run\".")
  folder <- if (!is.null(out)) whole_path(out)
  input <- private_folder()
  on.exit(remove_folder(input))
  write_table(data, file.path(input, "table.csv"))
  arguments <- prepare(input)
  if (is.null(out)) folder <- file.path(private_folder(), "run")
  done <- FALSE
  on.exit(if (is.null(out) && !done) remove_folder(dirname(folder)), add = TRUE)
  arguments <- c(command, "table.csv", arguments, "--out", folder, words_of_flag("resume", resume), words_of_flag("jobs", jobs))
  called <- call_program(arguments, input, quiet)
  done <- TRUE
  list(called = called, folder = folder)
}

with_control <- function(folder, settings, control) {
  if (is.null(control)) return(settings)
  write_table(check_table(control, "The control"), file.path(folder, "control.csv"))
  settings$attributeRisk <- utils::modifyList(as.list(settings$attributeRisk), list(control = "control.csv"))
  settings
}

synthrisk_evaluate <- function(data, ..., missing = NULL, control = NULL, out = NULL, resume = FALSE, jobs = NULL, quiet = FALSE) {
  settings <- list(...)
  ran <- run_command("evaluate", data, out, quiet, resume, jobs, function(folder) {
    write_settings(folder, data, with_control(folder, settings, control), missing)
  })
  read_run(ran$folder, ran$called, data)
}

synthrisk_assess <- function(data, synthetic, ..., minbucket = NULL, cp = NULL, missing = NULL, control = NULL, out = NULL,
                             resume = FALSE, jobs = NULL, quiet = FALSE) {
  settings <- list(...)
  datasets <- datasets_of(synthetic)
  by_synthpop <- inherits(synthetic, "synds")
  if (!by_synthpop && !(is.null(minbucket) && is.null(cp))) {
    refuse("no-synds", "minbucket and cp go with an object of synthpop. Name the settings of other trees in model = list(name = \"cart\", ...).")
  }
  if (by_synthpop) {
    check_table(data)
    settings_of_syn <- synthpop_settings(synthetic, minbucket, cp)
    columns <- names(settings_of_syn$method)
    if (!setequal(columns, names(data))) {
      refuse("other-columns", "The table has to have the columns that syn() was given, and no others: ", paste(columns, collapse = ", "), ".")
    }
    refuse_ordered(data, settings_of_syn$predictors[unlist(settings_of_syn$method[names(settings_of_syn$predictors)]) == "cart"])
    data <- data[columns]
    datasets <- lapply(datasets, function(one) one[columns])
  }
  ran <- run_command("assess", data, out, quiet, resume, jobs, function(folder) {
    c(
      write_settings(folder, data, with_control(folder, settings, control), missing, declare_all = by_synthpop),
      if (by_synthpop) c("--synthpop", write_json(settings_of_syn, folder, "synthpop.json")),
      "--synthetic", write_tables(datasets, folder, "synthetic")
    )
  })
  read_run(ran$folder, ran$called, data, datasets)
}

# A run as an object: its summary, its tables and its datasets.
read_run <- function(folder, called, data, synthetic = NULL) {
  table_of <- function(name, like = list()) {
    file <- file.path(folder, "confidential", paste0(name, ".csv"))
    if (file.exists(file)) read_table(file, like)
  }
  if (is.null(synthetic)) {
    files <- list.files(file.path(folder, "release"), "^synthetic-[0-9]+\\.csv$", full.names = TRUE)
    synthetic <- lapply(files[order(nchar(files), files)], read_table, like = data)
  }
  structure(list(
    summary = called$answer,
    accepted = called$accepted,
    # It alone has the table's columns.
    attribute_risk = table_of("attribute-risk", data),
    variable_risk = table_of("variable-risk"),
    identification_risk = table_of("identification-risk"),
    synthetic = synthetic,
    folder = folder
  ), class = "synthrisk_run")
}

folder_of <- function(run) {
  folder <- if (inherits(run, "synthrisk_run")) run$folder else run
  if (!is.character(folder) || length(folder) != 1) refuse("no-run", "Give a run, or the folder of one.")
  if (!dir.exists(folder)) refuse("no-run", "The folder of that run is gone: name one that stays (out = \"run\").", place = list(file = folder))
  normalizePath(folder)
}

synthrisk_report <- function(run, file = NULL, public = FALSE, open = interactive()) {
  folder <- folder_of(run)
  work <- private_folder()
  on.exit(remove_folder(work))
  answer <- call_program(c("report", folder, if (public) "--public"), work, quiet = TRUE)$answer
  page <- if (public) answer$page else answer$report
  if (!is.null(file)) {
    if (!with_private_files(file.copy(page, file, overwrite = TRUE, copy.mode = FALSE))) {
      refuse("unwritable-file", "The report cannot be written to ", file, ".", place = list(file = file))
    }
    page <- normalizePath(file)
  }
  if (open) utils::browseURL(page)
  invisible(page)
}

synthrisk_compare <- function(..., risk = NULL, utility = NULL) {
  runs <- list(...)
  if (length(runs) < 2) refuse("no-run", "Give two runs or more.")
  named <- names(runs)
  labels <- vapply(substitute(list(...))[-1], function(one) if (is.name(one)) as.character(one) else "", "")
  if (is.null(named)) named <- rep("", length(runs))
  named <- ifelse(nzchar(named), named, ifelse(nzchar(labels), labels, paste("run", seq_along(runs))))
  work <- private_folder()
  on.exit(remove_folder(work))
  folders <- vapply(runs, folder_of, "")
  flags <- c(words_of_flag("risk", risk), words_of_flag("utility", utility))
  found <- call_program(c("compare", folders, flags), work, quiet = TRUE)$answer
  found$runs$name <- named
  figures <- list()
  for (of in c("risk", "utility")) {
    for (measure in names(found$runs[[of]])) {
      own <- found$runs[[of]][[measure]]
      figures[[length(figures) + 1]] <- data.frame(run = named, of = of, measure = measure, value = own$value, se = own$se)
    }
  }
  structure(list(figures = do.call(rbind, figures), found = found), class = "synthrisk_comparison")
}
