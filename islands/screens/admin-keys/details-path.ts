export function detailsPath(id: number): string {
  return `/api/admin/keys/${id}/details`;
}
