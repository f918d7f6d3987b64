/** How many of the newest an overview shows, an admin's (rules.md: Admin overview) and a reseller's (rules.md: Reseller overview). */
export const recentRowsMax = 5;
