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
  command <- arguments[1]
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
  if (!is.null(answer$error)) refuse_as_program(answer$error, exit, command)
  list(answer = answer, accepted = exit != 4)
}

refuse_as_program <- function(error, exit, command) {
  place <- error[intersect(c("row", "column", "field", "file", "hint"), names(error))]
  refuse(error$code, in_r(paste(c(error$message, error$hint), collapse = "\n"), command), place = c(place, exit_code = exit))
}

# Flags that functions here have as arguments; synthrisk_mask() has all of its command.
ARGUMENTS <- c("control", "jobs", "missing", "out", "resume", "risk", "utility")

# Flags of the other commands as settings, by the names of columns A and B.
SETTINGS <- c(
  "accept" = 'acceptance = "attributeRisk.probabilityMax <= 0.5"',
  "breaks" = 'variables = list(A = list(breaks = c(0, 18, 65)))',
  "burn-in" = 'mcmc = list(burnIn = 1000)',
  "candidates" = 'attributeRisk = list(candidates = "one-change")',
  "categorical" = 'variables = list(A = list(type = "categorical"))',
  "chains" = 'mcmc = list(chains = 32)',
  "classes" = 'model = list(classes = 40)',
  "continuous" = 'variables = list(A = list(type = "continuous"))',
  "count" = 'count = "A"',
  "datasets" = 'synthesis = list(datasets = 5)',
  "decimal-comma" = 'numbers = list(decimal = ",")',
  "decimals" = 'variables = list(A = list(decimals = 2))',
  "draws" = 'mcmc = list(draws = 20)',
  "drop" = 'variables = list(A = list(drop = TRUE))',
  "known" = 'identification = list(list(known = c("A", "B")))',
  "masses" = 'variables = list(A = list(masses = 0))',
  "max-chains" = 'mcmc = list(maxChains = 1000)',
  "missing-codes" = 'variables = list(A = list(missingCodes = c(-9, 99)))',
  "model" = 'model = list(name = "cart")',
  "no-utility" = 'utility = "off"',
  "paired-chains" = 'mcmc = list(pairedChains = 8)',
  "paired-draws" = 'mcmc = list(pairedDraws = 150)',
  "paired-thin" = 'mcmc = list(pairedThin = 5)',
  "precision" = 'mcmc = list(precision = "quick")',
  "prior" = 'attributeRisk = list(prior = "model")',
  "radius" = 'identification = list(list(known = "A", radius = list(A = 0.1)))',
  "range" = 'variables = list(A = list(range = c(0, 120)))',
  "regression" = 'utility = list(regressions = "A ~ B")',
  "reproducibility" = 'mcmc = list(reproducibility = 0.97)',
  "scale" = 'variables = list(A = list(scale = "log"))',
  "slope" = 'attributeRisk = list(slope = 1)',
  "structural-zeros" = 'synthesis = list(structuralZeros = "/path/to/zeros.csv")',
  "synthesized" = 'synthesis = list(synthesized = c("A", "B"))',
  "thin" = 'mcmc = list(thin = 10)',
  "thousands" = 'numbers = list(thousands = " ")',
  "unknown" = 'attributeRisk = list(candidates = list(unknown = c("A", "B")))'
)

# A message of the program, with flags as arguments; those that a value follows, and settings, are explained in a last line.
in_r <- function(message, command) {
  argument <- function(flag) gsub("-", "_", flag, fixed = TRUE)
  isArgument <- function(flags) command == "mask" | flags %in% ARGUMENTS
  flags_of <- function(text) sub("^--([a-z-]*).*", "\\1", text)
  alone <- gregexpr("(?m)(?<![\\w-])--[a-z][a-z-]*(?: <[^>]*>)?(?= does not take| \\(|[:?,.;)']|$)", message, perl = TRUE)
  regmatches(message, alone) <- lapply(regmatches(message, alone), function(found) {
    ifelse(isArgument(flags_of(found)), argument(flags_of(found)), found)
  })
  said <- gsub("(?m)`synthrisk [^`]*`|^synthrisk .*$", "", message, perl = TRUE)
  left <- unique(flags_of(regmatches(said, gregexpr("(?<![\\w-])--[a-z][a-z-]*", said, perl = TRUE))[[1]]))
  left <- left[isArgument(left) | left %in% names(SETTINGS)]
  if (!length(left)) return(message)
  means <- ifelse(isArgument(left), paste0("the argument ", argument(left)), SETTINGS[left])
  paste0(message, "\nIn R: ", paste0("--", left, " is ", means, collapse = "; "), ".")
}

# As Ctrl-C does, so that the program tidies up; without mercy where it does not.
end_process <- function(process) {
  process$interrupt()
  process$wait(3000)
  if (process$is_alive()) process$kill_tree()
}
