SELECT packed FROM statements WHERE subject = ?;
