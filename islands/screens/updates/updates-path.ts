export const updatesPath = "/api/admin/online-updates";
