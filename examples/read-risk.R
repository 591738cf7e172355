# What a run found, in R: Rscript read-risk.R RUN
# Base R reads the CSV files and jsonlite the summary; arrow::read_parquet() reads the Parquet files, which keep codes as text.
library(jsonlite)

run <- commandArgs(trailingOnly = TRUE)[1]
file <- function(name) file.path(run, "confidential", name)
# An empty cell is a missing value, while NA may be a category; truth values and names of variables are read as text.
read <- function(name, text) {
  read.csv(file(name), check.names = FALSE, na.strings = "", colClasses = setNames("character", text))
}

risk <- read("attribute-risk.csv", "distinguishable")
values <- read("variable-risk.csv", "variable")
found <- fromJSON(file("summary.json"), simplifyVector = FALSE)$attributeRisk[[1]]
risk <- risk[risk$scenario == found$scenario, ]
values <- values[values$scenario == found$scenario, ]

# The combinations most at risk. A combination stands for `count` records, hence the weights below.
worst <- risk[risk$distinguishable == "true", ]
worst <- worst[order(-worst$ratio_to_uniform), ]
print(head(worst[, c("combination", "count", "rank", "probability", "ratio_to_uniform")], 10), row.names = FALSE)

same <- function(name, ours, theirs) {
  cat(sprintf("%s %.6f\n", name, ours))
  if (abs(ours - theirs) > 1e-6 * max(1, abs(theirs))) stop(name, " is another in summary.json: ", theirs)
}
records <- sum(risk$count)
same("truthRankedFirstShare", sum(risk$count[risk$rank == 1]) / records, found$truthRankedFirstShare)
same("probabilityMean", weighted.mean(risk$probability, risk$count), found$probabilityMean)
same("informationBitsMean", weighted.mean(risk$information_bits, risk$count), found$informationBitsMean)
# Where several variables are unknown together, a row of all of them has the gain, beside a row of each.
together <- grepl("; ", values$variable, fixed = TRUE)
gains <- if (any(together)) values[together, ] else values
same("gainBitsMean", sum(gains$gain_bits * gains$count) / records, found$gainBitsMean)
single <- values[!together, ]
same("probabilityTrueAfter", weighted.mean(single$probability_after, single$count), found$probabilityTrueAfter)
