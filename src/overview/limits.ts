/** How many of the newest an overview shows (rules.md: Admin overview, Reseller overview). */
export const recentRowsMax = 5;
