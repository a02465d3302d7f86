// The options of a console that listens at free ports of the loopback address.

export const FREE_PORTS = {
  ROOKERY_LISTEN: '127.0.0.1:0',
  ROOKERY_TOKENS_LISTEN: '127.0.0.1:0',
  ROOKERY_TOKENS_TLS_LISTEN: '127.0.0.1:0',
  ROOKERY_DNS_LISTEN: '127.0.0.1:0',
  ROOKERY_TOKENS_WIREGUARD_LISTEN: '127.0.0.1:0',
  ROOKERY_TOKENS_MYSQL_LISTEN: '127.0.0.1:0',
  ROOKERY_TOKENS_POSTGRES_LISTEN: '127.0.0.1:0',
} as const
