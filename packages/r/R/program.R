# The program: where it is, how it is called, and what becomes of its errors.

# Stops with a condition that has a code to match on, and a place where there is one.
refuse <- function(code, ..., place = list()) {
  fields <- c(list(message = paste0(...), call = NULL, code = code), place)
  stop(structure(fields, class = c("synthrisk_error", "error", "condition")))
}

synthrisk_program <- function() {
  named <- getOption("synthrisk.program", Sys.getenv("SYNTHRISK_PROGRAM"))
  path <- if (nzchar(named)) named else unname(Sys.which("synthrisk"))
  if (!nzchar(path) || !file.exists(path)) {
    refuse("no-program", if (nzchar(path)) paste0("There is no program ", path, ". ") else "The program synthrisk is not on the path. ",
      "Name it: options(synthrisk.program = \"/path/to/synthrisk.mjs\"), or the environment variable SYNTHRISK_PROGRAM.")
  }
  path <- normalizePath(path)
  if (!grepl("\\.m?js$", path)) return(path)
  node <- unname(Sys.which("node"))
  if (!nzchar(node)) refuse("no-node", "Node.js is not on the path, which runs ", basename(path), ". Install Node 20.19 or later.")
  c(node, path)
}

# Runs code in a new private folder; it is removed unless keep says that it is still needed.
private_folder <- function() {
  folder <- tempfile("synthrisk-")
  dir.create(folder, mode = "0700")
  normalizePath(folder)
}

remove_folder <- function(folder) unlink(folder, recursive = TRUE, force = TRUE)

# The whole path of a folder, also of one that is not there yet: the program runs in another.
whole_path <- function(folder) {
  if (!is.character(folder) || length(folder) != 1 || is.na(folder) || !nzchar(folder)) {
    refuse("invalid-out", "out is the path of one folder, as in out = \"run\".")
  }
  folder <- path.expand(folder)
  normalizePath(if (grepl("^([/\\\\]|[A-Za-z]:)", folder)) folder else file.path(getwd(), folder), mustWork = FALSE)
}

# Flags whose value is a list of names.
NAMES <- c("variables", "swap", "strata", "subdomains", "drop", "categorical", "continuous")

# A flag in the words of a command: of TRUE its name alone, of FALSE and NULL nothing. Several elements are one list, but for those
# that each name a column (AGE=0,120).
words_of_flag <- function(name, value) {
  flag <- paste0("--", gsub("_", "-", name, fixed = TRUE))
  if (is.null(value) || identical(value, FALSE)) return(NULL)
  if (isTRUE(value)) return(flag)
  words <- if (is.numeric(value)) vapply(value, format, "", digits = 15, scientific = FALSE) else as.character(value)
  if (name %in% NAMES) {
    quoted <- grepl("[,\"]|^\\s|\\s$", words)
    words[quoted] <- paste0("\"", gsub("\"", "\"\"", words[quoted], fixed = TRUE), "\"")
  } else if (all(grepl("=", words, fixed = TRUE))) {
    return(paste0(flag, "=", words))
  }
  paste0(flag, "=", paste(words, collapse = ","))
}

# Writes a file that only its owner reads.
with_private_files <- function(code) {
  before <- Sys.umask("077")
  on.exit(Sys.umask(before))
  force(code)
}

# What the program prints as JSON, with its exit code; progress goes to the console, and an interruption ends it.
call_program <- function(arguments, folder, quiet = FALSE) {
  program <- synthrisk_program()
  output <- file.path(folder, "output.json")
  arguments <- c(program[-1], arguments, "--json")
  process <- with_private_files(processx::process$new(program[1], arguments,
    stdout = output, stderr = "|", wd = folder, env = c("current", NO_COLOR = "1"), encoding = "UTF-8", cleanup_tree = TRUE
  ))
  on.exit(if (process$is_alive()) end_process(process))
  said <- character()
  while (process$is_alive() || process$is_incomplete_error()) {
    process$poll_io(200)
    lines <- process$read_error_lines()
    said <- c(said, lines)
    if (!quiet) for (line in grep("^\\S+ .*\\(.*\\)$|[0-9] %", lines, value = TRUE)) message(line)
  }
  exit <- process$get_exit_status()
  answer <- tryCatch(jsonlite::fromJSON(output, simplifyMatrix = FALSE), error = function(error) NULL)
  if (is.null(answer)) {
    refuse("no-answer", "The program ended with ", exit, " and no answer. ", paste(utils::tail(said, 3), collapse = " "),
      place = list(exit_code = exit))
  }
  if (!is.null(answer$error)) refuse_as_program(answer$error, exit)
  list(answer = answer, accepted = exit != 4)
}

refuse_as_program <- function(error, exit) {
  place <- error[intersect(c("row", "column", "field", "file", "hint"), names(error))]
  refuse(error$code, paste(c(error$message, error$hint), collapse = "\n"), place = c(place, exit_code = exit))
}

# As Ctrl-C does, so that the program tidies up; without mercy where it does not.
end_process <- function(process) {
  process$interrupt()
  process$wait(3000)
  if (process$is_alive()) process$kill_tree()
}
