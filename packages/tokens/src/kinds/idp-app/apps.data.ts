// Apps that people expect on the page of their identity provider.

/** The value of `idp_app_type` to the name under which the app is shown. */
export const APPS = {
  generic: 'Single sign-on',
  aws: 'Amazon Web Services',
  azure: 'Microsoft Azure',
  bitwarden: 'Bitwarden',
  dropbox: 'Dropbox',
  duo: 'Duo Admin Panel',
  elasticsearch: 'Elasticsearch',
  freshbooks: 'FreshBooks',
  gcloud: 'Google Cloud',
  gdrive: 'Google Drive',
  gitea: 'Gitea',
  github: 'GitHub Enterprise',
  gitlab: 'GitLab',
  gmail: 'Gmail',
  jira: 'Jira',
  kibana: 'Kibana',
  lastpass: 'LastPass',
  'ms-365': 'Microsoft 365',
  'ms-teams': 'Microsoft Teams',
  notion: 'Notion',
  okta: 'Okta Admin',
  onedrive: 'OneDrive',
  'one-password': '1Password',
  outlook: 'Outlook',
  pagerduty: 'PagerDuty',
  salesforce: 'Salesforce',
  sap: 'SAP',
  slack: 'Slack',
  vpn: 'VPN portal',
  zendesk: 'Zendesk',
  zoom: 'Zoom',
} as const

export type App = keyof typeof APPS
