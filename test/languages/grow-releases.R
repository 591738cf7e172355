# Releases of parts of two tables by rpart, as synthpop's method "cart" makes them: Rscript grow-releases.R PACKAGE FOLDER CATEGORIES NUMBERS
arguments <- commandArgs(TRUE)
for (file in list.files(file.path(arguments[1], "R"), full.names = TRUE)) source(file)
source(file.path(arguments[1], "inst", "examples", "grow-releases.R"))
categories <- utils::read.csv(arguments[3], colClasses = "factor")[c("region", "age_group", "education", "employment", "tenure")]
numbers <- utils::read.csv(arguments[4], stringsAsFactors = TRUE)
set.seed(20)
for (number in 1:200) {
  whole <- if (number <= 100) categories else numbers
  part <- whole[sample(nrow(whole), 150), ]
  rownames(part) <- NULL
  visits <- sample(names(part))
  # Every other release keeps two columns, which are visited first; the others keep none, as synthpop does by default.
  method <- stats::setNames(rep("cart", length(part)), visits)
  method[1:2] <- if (number %% 2) "" else c("sample", "cart")
  if (number %% 2 == 0) part <- part[visits]
  made <- grow_releases(part, visits, method, cart.minbucket = sample(c(3, 5, 10, 20), 1))
  declared <- declared_columns(part, all = TRUE)
  for (name in names(Filter(is.numeric, part))) {
    declared[[name]]$candidates <- list(bands = c(min(part[[name]]), unique(stats::quantile(part[[name]], c(0.25, 0.5, 0.75), names = FALSE))))
  }
  write_table(part, file.path(arguments[2], sprintf("table-%d.csv", number)))
  write_table(made$syn, file.path(arguments[2], sprintf("synthetic-%d.csv", number)))
  write_json(list(synthpop = synthpop_settings(made), variables = as_lists(declared)), arguments[2], sprintf("settings-%d.json", number))
}
