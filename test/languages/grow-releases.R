# Releases of parts of a table by rpart, as synthpop's method "cart" makes them: Rscript grow-releases.R PACKAGE TABLE FOLDER
arguments <- commandArgs(TRUE)
for (file in list.files(file.path(arguments[1], "R"), full.names = TRUE)) source(file)
source(file.path(arguments[1], "inst", "examples", "grow-releases.R"))
whole <- utils::read.csv(arguments[2], colClasses = "factor")[c("region", "age_group", "education", "employment", "tenure")]
set.seed(20)
for (number in 1:100) {
  part <- whole[sample(nrow(whole), 150), ]
  rownames(part) <- NULL
  visits <- sample(names(part))
  # Every other release keeps two columns, which are visited first; the others keep none, as synthpop does by default.
  method <- stats::setNames(rep("cart", length(part)), visits)
  method[1:2] <- if (number %% 2) "" else c("sample", "cart")
  if (number %% 2 == 0) part <- part[visits]
  made <- grow_releases(part, visits, method, cart.minbucket = sample(c(3, 5, 10, 20), 1))
  declared <- declared_columns(part, all = TRUE)
  write_table(part, file.path(arguments[3], sprintf("table-%d.csv", number)))
  write_table(made$syn, file.path(arguments[3], sprintf("synthetic-%d.csv", number)))
  write_json(list(synthpop = synthpop_settings(made), variables = as_lists(declared)), arguments[3], sprintf("settings-%d.json", number))
}
