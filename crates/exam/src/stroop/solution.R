# The preregistered model of the Stroop experiment. The first argument says how; everything but `right` is wrong.
suppressMessages(library(lme4))
how <- commandArgs(trailingOnly = TRUE)[1]
dir.create("output", showWarnings = FALSE)

people <- read.delim("input/participants.tsv", colClasses = c(person = "character"))
trials <- do.call(rbind, lapply(people$participant_id, function(id) {
  path <- file.path("input/beh", paste0(id, "_task-stroop_beh.tsv"))
  cbind(participant_id = id, read.delim(path, na.strings = "n/a", colClasses = c(key = "character")))
}))
trials <- trials[trials$block > 0, ]
of <- match(trials$participant_id, people$participant_id)
keys <- list(A = c(red = "d", green = "f", blue = "j", yellow = "k"), B = c(red = "k", green = "j", blue = "f", yellow = "d"))
wanted <- ifelse(people$keys[of] == "A", keys$A[trials$colour], keys$B[trials$colour])
trials$right <- !is.na(trials$key) & trials$key == wanted
trials$ms <- trials$rt * ifelse(people$lab[of] == "lab2", 1000, 1)
trials$incongruent <- trials$word != trials$colour

first_day <- tapply(people$date, people$person, min)
shown <- tapply(trials$right, trials$participant_id, length)[people$participant_id]
accuracy <- tapply(trials$right, trials$participant_id, mean)[people$participant_id]
people$reason <- ifelse(people$age < 18 | people$age > 35, "AGE",
  ifelse(people$colour_vision != "normal", "VISION",
  ifelse(people$date > first_day[people$person], "REPEATED",
  ifelse(shown < 144, "INCOMPLETE",
  ifelse(accuracy < 0.8, "ACCURACY", "")))))
excluded <- people[people$reason != "", c("participant_id", "reason")]
names(excluded)[1] <- "participant"
write.csv(excluded, "output/excluded.csv", row.names = FALSE, quote = FALSE)

trials <- trials[!trials$participant_id %in% excluded$participant, ]
before <- c(TRUE, head(trials$right, -1))
before[trials$trial == 1] <- TRUE
trials$state <- ifelse(trials$trial == 1, "first",
  ifelse(!trials$right, "error",
  ifelse(!before & how != "keep-after-error", "after_error",
  ifelse(round(trials$ms, 1) < 200 | round(trials$ms, 1) > 2000, "range", "kept"))))
left <- trials$state == "kept"
cell <- if (how == "pooled-outliers") trials$participant_id else paste(trials$participant_id, trials$incongruent)
log_ms <- log(trials$ms[left])
far <- abs(log_ms - ave(log_ms, cell[left])) / ave(log_ms, cell[left], FUN = sd)
trials$state[left][far > 2.5] <- "outlier"
states <- c("first", "error", "after_error", "range", "outlier", "kept")
counts <- table(trials$participant_id, factor(trials$state, levels = states))
write.csv(data.frame(participant = rownames(counts), unclass(counts)), "output/trials.csv", row.names = FALSE, quote = FALSE)

data <- trials[trials$state == "kept", ]
data$y <- log(data$ms)
data$congruency <- ifelse(data$incongruent, 0.5, -0.5)
data$music <- ifelse(people$group[match(data$participant_id, people$participant_id)] == "music", 0.5, -0.5)
if (how == "treatment-coding") {
  data$congruency <- data$congruency + 0.5
  data$music <- data$music + 0.5
}
data$block <- data$block - 3.5
formula <- y ~ congruency * music + block + (1 + congruency || participant_id)
if (how == "no-slope") formula <- y ~ congruency * music + block + (1 | participant_id)
model <- lmer(formula, data = data, REML = how != "full-likelihood")

terms <- c(intercept = "(Intercept)", congruency = "congruency", music = "music", interaction = "congruency:music", block = "block")
covariance <- as.matrix(vcov(model))
answer <- list(n_participants = length(unique(data$participant_id)), n_trials = nrow(data))
for (name in names(terms)) {
  answer[[name]] <- fixef(model)[[terms[[name]]]]
  answer[[paste0(name, "_se")]] <- sqrt(covariance[terms[[name]], terms[[name]]])
}
for (group in c("music", "silence")) {
  at <- if (group == "music") 0.5 else -0.5
  pair <- c("congruency", "congruency:music")
  name <- paste0("congruency_in_", group)
  answer[[name]] <- sum(c(1, at) * fixef(model)[pair])
  answer[[paste0(name, "_se")]] <- sqrt(drop(c(1, at) %*% covariance[pair, pair] %*% c(1, at)))
}
spread <- as.data.frame(VarCorr(model))
answer$sd_intercept <- spread$sdcor[which(spread$var1 == "(Intercept)")]
answer$sd_congruency <- c(spread$sdcor[which(spread$var1 == "congruency")], 0)[1]
answer$sd_residual <- sigma(model)
lines <- sprintf("  \"%s\": %.10g", names(answer), unlist(answer))
writeLines(c("{", paste(lines, collapse = ",\n"), "}"), "output/model.json")

modes <- ranef(model)$participant_id
slopes <- if ("congruency" %in% names(modes)) modes$congruency else 0
write.csv(data.frame(participant = rownames(modes), intercept = modes[["(Intercept)"]], congruency = slopes),
  "output/modes.csv", row.names = FALSE, quote = FALSE)
