# Primary endpoint tables of HALCYON-3. The first argument says how; everything but `right` is wrong.
suppressMessages(library(survival))
how <- commandArgs(trailingOnly = TRUE)[1]
dir.create("output", showWarnings = FALSE)
get <- function(name) read.csv(file.path("input/data", paste0(name, ".csv")), colClasses = "character")
invisible(Sys.setlocale("LC_TIME", "C"))

plan <- readLines("input/sap.md")
cutoff <- as.Date(sub(".*\\*\\*(\\d{4}-\\d{2}-\\d{2})\\*\\*.*", "\\1", grep("Date of cut-off", plan, value = TRUE)))
if (how == "past-cutoff") cutoff <- as.Date("2100-01-01")

itt <- get("randomisation")
itt$rand <- as.Date(itt$RANDDT, format = "%d%b%Y")
rs <- get("rs"); rs$date <- as.Date(rs$RSDTC)
ex <- get("ex"); ex$date <- as.Date(ex$EXSTDTC)
ds <- get("ds"); cm <- get("cm"); dv <- get("dv")

# Deaths, with the day imputed where only the month is known.
death <- ds[ds$DSDECOD == "DEATH", ]
seen <- rbind(rs[c("USUBJID", "date")], ex[c("USUBJID", "date")])
last_seen <- tapply(as.numeric(seen$date), seen$USUBJID, max)
is_partial <- nchar(death$DSSTDTC) == 7
death$date <- as.Date(ifelse(is_partial, paste0(death$DSSTDTC, "-01"), death$DSSTDTC))
after <- as.Date(last_seen[death$USUBJID] + 1, origin = "1970-01-01")
is_later <- is_partial & !is.na(after) & after > death$date
death$date[is_later] <- after[is_later]

therapy <- cm[cm$CMCAT == "ANTICANCER THERAPY", ]
therapy <- tapply(as.numeric(as.Date(therapy$CMSTDTC)), therapy$USUBJID, min)

independent <- rs[rs$RSEVAL == "INDEPENDENT ASSESSOR" & rs$RSACPTFL == "Y", ]
investigator <- rs[rs$RSEVAL == "INVESTIGATOR", ]

pfs <- function(read) {
  read <- read[read$date <= cutoff & read$RSSTRESC != "NE", ]
  one <- function(id, rand) {
    own <- read[read$USUBJID == id, ]
    last <- function(until) max(c(rand, own$date[own$date <= until]))
    pd <- own$date[own$RSSTRESC == "PD"]
    dead <- death$date[death$USUBJID == id & death$date <= cutoff]
    event <- if (length(c(pd, dead))) min(c(pd, dead)) else NA
    other <- as.Date(therapy[id], origin = "1970-01-01")
    if (is.na(other) || other > cutoff || how == "raw-events") other <- NA
    if (!is.na(other) && (is.na(event) || other < event)) {
      end <- last(other); reason <- "THERAPY"
    } else if (!is.na(event) && event - last(event - 1) > 112 && how != "raw-events") {
      end <- last(event - 1); reason <- "MISSED"
    } else if (!is.na(event)) {
      end <- event; reason <- if (event %in% pd) "PD" else "DEATH"
    } else {
      end <- last(cutoff); reason <- "LAST"
    }
    data.frame(USUBJID = id, AVAL = as.numeric(end - rand) + 1, CNSR = as.numeric(!reason %in% c("PD", "DEATH")), REASON = reason)
  }
  all <- do.call(rbind, Map(one, itt$USUBJID, itt$rand))
  merge(itt, all, by = "USUBJID")
}

given <- merge(ex[as.numeric(ex$EXDOSE) > 0, c("USUBJID", "EXTRT")], itt[c("USUBJID", "ARM")])
mixed <- given$USUBJID[given$EXTRT != given$ARM]
per_protocol <- setdiff(given$USUBJID, c(mixed, dv$USUBJID[dv$DVCAT == "MAJOR"]))

primary <- pfs(if (how == "investigator") investigator else independent)
primary$PPROTFL <- ifelse(primary$USUBJID %in% per_protocol, "Y", "N")
write.csv(primary[c("USUBJID", "PPROTFL", "AVAL", "CNSR", "REASON")], "output/adtte.csv", row.names = FALSE, quote = FALSE)

if (how == "recorded-strata") {
  dm <- get("dm")
  at <- match(itt$USUBJID, dm$USUBJID)
  itt$STRAT_LINES <- dm$PRLINES[at]; itt$STRAT_LDH <- dm$LDHBL[at]
  primary <- merge(primary[setdiff(names(primary), c("STRAT_LINES", "STRAT_LDH"))], itt[c("USUBJID", "STRAT_LINES", "STRAT_LDH")])
}
sets <- list(PRIMARY = primary, INVESTIGATOR = pfs(investigator), "PER-PROTOCOL" = primary[primary$USUBJID %in% per_protocol, ])
km <- tests <- NULL
for (name in names(sets)) {
  set <- sets[[name]]
  set$months <- set$AVAL / 30.4375
  set$event <- 1 - set$CNSR
  set$arm <- factor(set$ARM, levels = c("PLACEBO", "VELMERIN"))
  for (arm in levels(set$arm)) {
    fit <- survfit(Surv(months, event) ~ 1, data = set[set$arm == arm, ], conf.type = "log-log")
    total <- summary(fit)$table
    at <- summary(fit, times = c(6, 12))
    km <- rbind(km, data.frame(
      analysis = name, arm = arm, n = total[["records"]], events = total[["events"]],
      median = total[["median"]], median_low = total[["0.95LCL"]], median_high = total[["0.95UCL"]],
      rate6 = at$surv[1], rate6_low = at$lower[1], rate6_high = at$upper[1],
      rate12 = at$surv[2], rate12_low = at$lower[2], rate12_high = at$upper[2]))
  }
  if (how == "unstratified") {
    test <- survdiff(Surv(months, event) ~ arm, data = set)
    cox <- coxph(Surv(months, event) ~ arm, data = set)
  } else {
    test <- survdiff(Surv(months, event) ~ arm + strata(STRAT_LINES, STRAT_LDH), data = set)
    cox <- coxph(Surv(months, event) ~ arm + strata(STRAT_LINES, STRAT_LDH), data = set, ties = "efron")
  }
  ratio <- summary(cox)$conf.int
  tests <- rbind(tests, data.frame(analysis = name, chisq = test$chisq, p = pchisq(test$chisq, 1, lower.tail = FALSE),
    hr = ratio[1, "exp(coef)"], hr_low = ratio[1, "lower .95"], hr_high = ratio[1, "upper .95"]))
}
write.csv(km, "output/km.csv", row.names = FALSE, quote = FALSE)
write.csv(tests, "output/tests.csv", row.names = FALSE, quote = FALSE)
