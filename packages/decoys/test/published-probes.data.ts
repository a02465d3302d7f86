// What people have published to recognise decoys by: what is sent, and what a decoy answers. The ideas are those of honeydet,
// detect-kippo-cowrie, Metasploit's detect_kippo, checkpot and PotSnitch, of "Bitter Harvest" (Vetterl and Clayton, 2018) and of
// "Gotta catch 'em all" (Srinivasa and others, 2021); probes and patterns are our own.
//
// Left out: what the real server answers as well. honeydet's FTPHoney is the greeting of vsftpd 3.0.3, PotSnitch's Confidence.LOW
// banners are those of Debian, and its "Protocol mismatch" of a doubled identification was OpenSSH's own until 7.5.
import { publishedLogins } from './published-logins.data.ts'
import { says, type PublishedProbe } from './published-probe.ts'

const utf16 = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1')
const get = (path: string, more = 'HTTP/1.0'): string => `GET ${path} ${more}\r\nHost: localhost\r\n\r\n`

const LIBRARIES =
  /\r\nServer: (TwistedWeb|BaseHTTP|SimpleHTTP|Werkzeug|gunicorn|TornadoServer|Python\/|waitress|Cowboy|HoneydHTTP)/

const web: readonly PublishedProbe[] = [
  says(
    'Snare: a version that there is not',
    /Bad status line|Server: Python\/[\d.]+ aiohttp/,
    "Bad status line: b'GET / HTTP/1337'",
    'GET / HTTP/1337\r\nHost: nuggets\r\n\r\n',
  ),
  says(
    'libraries of Python: their name',
    LIBRARIES,
    'HTTP/1.0 200 OK\r\nServer: BaseHTTP/0.6 Python/3.9\r\n\r\n',
    get('/'),
  ),
  says(
    'OpenCanary: OPTIONS is refused without the Server field of other answers',
    /^HTTP\/1\.1 405 (?![^]*\r\nServer: )[^]*\r\n\r\n/,
    'HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n',
    'OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ),
  says(
    'Dionaea: the fields of OPTIONS',
    /^HTTP\/1\.[01] 200 OK\r\nAllow: OPTIONS, GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n/,
    'HTTP/1.0 200 OK\r\nAllow: OPTIONS, GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    'OPTIONS / HTTP/1.0\r\n\r\n',
  ),
  says(
    'Dionaea: lists a folder as Python does',
    /<title>Directory listing for \/<\/title>/,
    '<title>Directory listing for /</title>',
    get('/'),
  ),
  says(
    'Glastopf: the form of its page',
    /<textarea name="comment" id="comment" rows="4" columns="300">/,
    '<textarea name="comment" id="comment" rows="4" columns="300"></textarea>',
    get('/'),
  ),
  says(
    'Glastopf: takes files from elsewhere',
    /root:x:0:0:root:\/root:\/bin\/bash/,
    'root:x:0:0:root:/root:/bin/bash\n',
    get('/vuln.php?page=../../../../../etc/passwd'),
  ),
  says(
    'Conpot: its controller',
    /Overview - Siemens, SIMATIC|Technodrome/,
    '<title>Overview - Siemens, SIMATIC, S7-200</title>',
    get('/index.html'),
  ),
  says(
    'express-honeypot: its picture',
    /Canon PowerShot A710/,
    'Canon PowerShot A710',
    get('/beekeeper.jpg'),
  ),
  says(
    'AMTHoneypot: the length of its refusal',
    /\r\nContent-Length: 767\r\n/,
    'HTTP/1.1 401 Unauthorized\r\nContent-Length: 767\r\n\r\n',
    get('/invalid.htm'),
  ),
  says(
    'decoys of Confluence: one session for all',
    /JSESSIONID=145DF9C4CDE560B2699212/,
    'Set-Cookie: JSESSIONID=145DF9C4CDE560B2699212',
    get('/login.action', 'HTTP/1.1'),
  ),
  says(
    'Elasticpot: the index of its error',
    /index_not_found_exception.*"resource\.id":"test"/,
    '{"type":"index_not_found_exception","resource.id":"test"}',
    get('/api/search'),
  ),
  says(
    'owa-honeypot: the address in its template',
    /webmail\.vfmc\.vic\.gov\.au/,
    'https://webmail.vfmc.vic.gov.au/owa/',
    get('/owa/auth/logon.aspx'),
  ),
  says(
    'phpMyAdmin_honeypot: its hidden field',
    /phpmyadmin login attempt on|permission denied : 0x42-0839475/,
    '<input name="subject" value="phpmyadmin login attempt on">',
    get('/login.php'),
  ),
  says(
    'decoys of Cisco ASA: the style of their page',
    /font-weight: bold; cursor: pointer;/,
    'font-weight: bold; cursor: pointer;',
    get('/+CSCOE+/logon.html?fcadbadd=1'),
  ),
  says('oh-my-honeypot: its PHP', /PHP\/4\.1\.0/, 'X-Powered-By: PHP/4.1.0', get('/invalid.htm')),
  says(
    'HellPot: a page without end',
    /Server: nginx\r\n[^]*<BODY>\n[^]{20000}/,
    `Server: nginx\r\n\r\n<HTML>\n<BODY>\n${'word '.repeat(5_000)}`,
    get('/wp-login.php'),
  ),
  says(
    'Valhalla: its error',
    /Server: IIS 5\.0\r\n\r\nErro\. URL/,
    'Server: IIS 5.0\r\n\r\nErro. URL n\xe3o encontrada',
    get('/none'),
  ),
  says(
    'BackOfficer Friendly: its refusal',
    /^HTTP\/1\.0 401 Unauthorized\r\n\r\n<BODY><HTML>|^503 Service Unavailable\r\n\r\n\0$/,
    'HTTP/1.0 401 Unauthorized\r\n\r\n<BODY><HTML><H1>401 - Authorization Failed</H1>',
    get('/'),
  ),
]

const redis: readonly PublishedProbe[] = [
  ...['[[,[[\r\n', '[[,[['].map((send) =>
    says(
      `OpenCanary: an unknown command without its arguments (${JSON.stringify(send)})`,
      /-ERR unknown command '\[\[,\[\['(?!, with args beginning with: )/,
      "-ERR unknown command '[[,[['\r\n",
      send,
    ),
  ),
  says(
    'redis-honeypot: commands without a name',
    /-ERR unknown command ''/,
    "-ERR unknown command ''\r\n",
    'DBSIZE\r\n',
  ),
]

/** SMB1 NEGOTIATE with the dialect `NT LM 0.12` ([MS-CIFS] 2.2.4.52.1). */
const SMB1_NEGOTIATE = Buffer.from(
  '0000002fff534d4272000000001801c80000000000000000000000000000fffe00000000000c00024e54204c4d20302e313200',
  'hex',
).toString('latin1')
/** SMB2 NEGOTIATE with the dialect 2.0.2 ([MS-SMB2] 2.2.3). */
const SMB2_NEGOTIATE = Buffer.from(
  `00000066fe534d4240000000${'00'.repeat(56)}2400010001000000${'00'.repeat(28)}0202`,
  'hex',
).toString('latin1')
const PRELOGIN = Buffer.from(
  '1201002f0000010000001a00060100200001020021000103002200040400260001ff0b000000000000000000000000',
  'hex',
).toString('latin1')

const rest: readonly PublishedProbe[] = [
  says(
    'Dionaea: the name of its machine',
    new RegExp(`${utf16('HOMEUSER-')}|${utf16('VENUS')}`),
    utf16('HOMEUSER-3AF6FE'),
    SMB1_NEGOTIATE,
  ),
  says(
    'servers of impacket: their identifier, asked by SMB1 first',
    /AAAAAAAAAAAAAAAA/,
    `\xfeSMB${'A'.repeat(16)}`,
    SMB1_NEGOTIATE,
    SMB2_NEGOTIATE,
  ),
  says(
    'servers of impacket: their identifier',
    /AAAAAAAAAAAAAAAA/,
    `\xfeSMB${'A'.repeat(16)}`,
    SMB2_NEGOTIATE,
  ),
  says('Nepenthes: bytes without content', /^\x82\0{63}$/, `\x82${'\0'.repeat(63)}`, SMB1_NEGOTIATE),
  says(
    'Dionaea: the version of its SQL Server',
    /\xff\x08\x00\x02\x10\x00\x00/,
    '\xff\x08\x00\x02\x10\x00\x00\x02\x00\x00',
    PRELOGIN,
  ),
  says(
    'OpenCanary and Dionaea: the versions of their MySQL',
    /^.{4}\n(5\.5\.43-0ubuntu0\.14\.04\.1|5\.0\.54|5\.7\.16)\0/s,
    'J\0\0\0\n5.5.43-0ubuntu0.14.04.1\0',
  ),
  says(
    'vnclowpot: the same challenge for all',
    /\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f/,
    `RFB 003.008\n${Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex').toString('latin1')}`,
    'RFB 003.008\n',
    '\x02',
  ),
  says(
    'Mailoney: its words, misspelled',
    /502 Error: cmomand|not implementedd/,
    '502 Error: cmomand "HELP" not implemented\r\n',
    'HELP\r\n',
  ),
  says(
    'Spamhole: its word about TLS',
    /Nope we use cleartext/,
    '502 Nope we use cleartext\r\n',
    'starttls\r\n',
  ),
  says(
    'honeyd: its Windows shell',
    /^Microsoft Windows XP \[Version [\d.]+\]\n\(C\) Copyright/,
    'Microsoft Windows XP [Version 5.1.2600]\n(C) Copyright 1985-2001 Microsoft Corp.\n\nC:\\>',
    '\r\n',
  ),
  says(
    'Conpot: its connection of S7',
    /^\x03\0\0\x13\x0e\xd0\0{5}\xc1\x02\0\0\xc2\x02/,
    '\x03\0\0\x13\x0e\xd0\0\0\0\0\0\xc1\x02\0\0\xc2\x02\0\0',
    Buffer.from('0300001611e00000000400c1020100c2020102c0010a', 'hex').toString('latin1'),
  ),
  says(
    'Conpot and Honeygrove: the identity of their Modbus',
    /Siemens\x01?.{0,2}SIMATIC|Pymodbus|MODBUS Server/s,
    'Siemens\x01\x0cSIMATIC S7-200',
    Buffer.from('000100000005012b0e0100', 'hex').toString('latin1'),
  ),
  says(
    'Conpot and pymodbus: the server id of their Modbus',
    /Siemens.{0,3}SIMATIC|Pymodbus|riptideio|bashwork|Mouser Factory/s,
    '\x11Siemens\0SIMATIC\0S7-200',
    Buffer.from('0001000000020111', 'hex').toString('latin1'),
  ),
  says(
    'Dionaea: its answer to SIP',
    /^SIP\/2\.0 200 OK\r\nContent-Length: 0\r\nVia: /,
    'SIP/2.0 200 OK\r\nContent-Length: 0\r\nVia: SIP/2.0/TCP nm\r\n',
    'OPTIONS sip:nm SIP/2.0\r\nVia: SIP/2.0/TCP nm;branch=foo\r\n\r\n',
  ),
  says(
    'servers of Twisted: what they print of their own mistakes',
    /Traceback \(most recent call last\)|twisted\.|exceptions\./,
    'Traceback (most recent call last):',
    '\0\xff\xfe\x80\r\n\r\n',
  ),
]

export const publishedProbes: readonly PublishedProbe[] = [...publishedLogins, ...web, ...redis, ...rest]
