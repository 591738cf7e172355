# Data frames as the CSV files that the program reads, and back.

check_table <- function(data, what = "The table") {
  if (!is.data.frame(data)) refuse("no-data-frame", what, " is not a data frame.")
  if (anyDuplicated(names(data))) refuse("repeated-column", what, " has two columns of one name.")
  if (anyNA(names(data)) || !all(nzchar(names(data)))) refuse("unnamed-column", what, " has a column without a name.")
  invisible(data)
}

# The cells of a column as text; NA stays.
column_text <- function(column, name) {
  place <- list(field = name)
  # Of integer64, bits of doubles stand for other numbers.
  is_text <- is.factor(column) || is.character(column) || inherits(column, c("Date", "POSIXct"))
  if (length(dim(column)) || inherits(column, "integer64") || !(is_text || is.logical(column) || is.numeric(column))) {
    refuse("unsupported-column", "Column ", name, " is of class ", class(column)[1], ": make it a factor, text, a logical or a number.",
      place = place)
  }
  if (is_text) {
    text <- enc2utf8(as.character(column))
    if (any(text %in% c("", "NA"))) {
      refuse("text-of-missing", "Column ", name, " has the text \"NA\" or an empty text, which a file cannot keep apart from a missing ",
        "value. Set these cells to NA, or give them another text.", place = place)
    }
    return(text)
  }
  if (is.logical(column)) return(as.character(column))
  number_text(as.vector(unclass(column)), name)
}

# The shortest of 15 and 17 digits that gives the same number back.
number_text <- function(numbers, name) {
  if (any(is.infinite(numbers))) refuse("infinite-value", "Column ", name, " has infinite values.", place = list(field = name))
  text <- sprintf("%.15g", numbers)
  differs <- !is.na(numbers)
  differs[differs] <- as.numeric(text[differs]) != numbers[differs]
  text[differs] <- sprintf("%.17g", numbers[differs])
  text[is.na(numbers)] <- NA
  text
}

write_table <- function(data, file) {
  # Where there is but one column, an empty line might be none.
  missing <- if (length(data) == 1) "NA" else ""
  quoted <- function(text) ifelse(is.na(text), missing, paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\""))
  cells <- Map(function(column, name) quoted(column_text(column, name)), data, names(data))
  rows <- do.call(paste, c(unname(cells), sep = ","))
  header <- paste(quoted(enc2utf8(names(data))), collapse = ",")
  connection <- with_private_files(file(file, "wb"))
  on.exit(close(connection))
  writeLines(c(header, rows), connection, useBytes = TRUE)
}

write_tables <- function(tables, folder, stem) {
  files <- sprintf("%s-%d.csv", stem, seq_along(tables))
  Map(write_table, tables, file.path(folder, files))
  files
}

# Columns of results that hold names or values of the table: text, even where that looks like numbers or logicals.
AS_TEXT <- c("variable", "scenario", "first_guess_variable", "first_guess_value", "first_guess_before", "first_guess_after")

# A file of the program: columns of the table as they were there, all others by what they hold.
read_table <- function(file, like) {
  text <- utils::read.csv(file, colClasses = "character", na.strings = c("", "NA"), check.names = FALSE, encoding = "UTF-8",
    blank.lines.skip = FALSE)
  text[] <- Map(function(column, name) {
    if (name %in% names(like)) return(restore_column(column, like[[name]]))
    if (name %in% AS_TEXT) return(column)
    if (all(column %in% c("true", "false", NA))) as.logical(column) else utils::type.convert(column, as.is = TRUE)
  }, text, names(text))
  text
}

# Text as the class of a column, with its levels, labels and other attributes.
restore_column <- function(text, like) {
  if (is.factor(like)) {
    levels <- union(levels(like), stats::na.omit(text))
    restored <- factor(text, levels, ordered = is.ordered(like))
  } else if (is.logical(like)) {
    restored <- as.logical(text)
  } else if (is.numeric(like)) {
    restored <- suppressWarnings(as.numeric(text))
    # Bands are text, whatever they were made of.
    if (any(is.na(restored) & !is.na(text))) return(text)
    if (is.integer(like) && all(restored == round(restored), na.rm = TRUE)) restored <- as.integer(restored)
  } else if (inherits(like, c("Date", "POSIXct"))) {
    # Categories of the table, in whatever form they were written.
    from <- match(text, as.character(like))
    return(if (any(is.na(from) & !is.na(text))) text else like[from])
  } else {
    restored <- text
  }
  kept <- attributes(like)[setdiff(names(attributes(like)), c("names", "levels", "dim", "dimnames"))]
  for (name in names(kept)) attr(restored, name) <- kept[[name]]
  # Categories that were merged have no place in the order of the others.
  if (nlevels(restored) > nlevels(like)) class(restored) <- setdiff(class(restored), "ordered")
  restored
}
