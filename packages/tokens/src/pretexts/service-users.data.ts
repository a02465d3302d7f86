/** Login names of programs, as administrators of cloud accounts choose them. */
export const SERVICE_USERS = [
  'backup',
  'ci-deploy',
  'db-backup',
  'terraform',
  'jenkins',
  'svc-reports',
  's3-sync',
  'ops-admin',
] as const
