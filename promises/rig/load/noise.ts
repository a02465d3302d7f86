// What the internet asks of any web server, none of it a token: scanners' paths, long random names, names like ids.
import { getRequest } from './load.ts'

const PATHS = [
  '/',
  '/favicon.ico',
  '/robots.txt',
  '/.env',
  '/.git/config',
  '/wp-login.php',
  '/xmlrpc.php',
  '/cgi-bin/luci/;stok=/locale?form=country&operation=write',
  '/boaform/admin/formLogin?username=admin&psd=admin',
  '/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php',
  '/index.php?s=/index/%5Cthink%5Capp/invokefunction&function=call_user_func_array&vars%5B0%5D=md5',
  '/owa/auth/logon.aspx?replaceCurrent=1&url=https%3A%2F%2Fmail.example.com%2Fowa',
  // As long as an id, and longer: their MAC must be asked.
  '/static/js/8hx2p0vbn6tq5yd1mzrk3ce7w/main.js',
  '/assets/3f9c2a7d5e8b4160a9d7c3e2f1b08456.css',
]

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 zgrab/0.x',
  'curl/8.14.1',
  'python-requests/2.32.3',
]

/** Requests as they come in, one of each path by each agent. */
export const noiseRequests = (): string[] =>
  PATHS.flatMap((path) =>
    AGENTS.map((agent) =>
      getRequest(path, { 'User-Agent': agent, Accept: '*/*', 'Accept-Encoding': 'gzip' }),
    ),
  )
