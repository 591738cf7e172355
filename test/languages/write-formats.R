# Writes one table in R's own formats: write-formats.R CSV FOLDER.
arguments <- commandArgs(TRUE)
table <- read.csv(arguments[1], colClasses = "character")
at <- function(name) file.path(arguments[2], name)
for (compress in c("gzip", "none")) {
  saveRDS(table, at(paste0("rds-", compress)), compress = compress == "gzip")
  save(table, file = at(paste0("rdata-", compress)), compress = compress == "gzip")
}
haven::write_sav(table, at("haven-sav"))
haven::write_dta(table, at("haven-stata"))
haven::write_xpt(table, at("haven-xport"), name = "table")
suppressWarnings(haven::write_sas(table, at("haven-sas")))
openxlsx::write.xlsx(table, at("workbooks/openxlsx.xlsx"))
openxlsx::write.xlsx(table, at("workbooks/openxlsx-table.xlsx"), asTable = TRUE)
