// What a client may ask a proxy for: URLs, the targets of CONNECT, and what is neither.

export const TARGETS = [
  ...Array<string>(10).fill('http://example.com/'),
  ...`http://example.com/ http://A.Example.COM/B http://a:80/ http://a:8080/x http://u:p@a/x http://u%20v:p@a/ http://a?q=1 http://a/?q
http://a#f http://a/x#f http://a/x?y#f HTTP://a/ Http://a/ https://a:443/ https://a:444/ ftp://a/x;type=i ftp://u@a/ ftp://u:p@a:22/ ftp://a
gopher://a/ gopher://a:70/ wais://a/ coap://a/ coaps://a/ whois://a/ urn:a urn:a:b:c URN:ab:c urn:ab: urn::b urn: urn:http://a urn:ab:c?d
icp://a/ icp://a:3130/ foo://a/ foo://a:80/x http://[::1]/ http://[::1]:8080/ http://[::1/ http://[zz]/ http://::1/ http://1.2.3.4/ http://1.2.3/
http://01.2.3.4/ http://256.1.1.1/ http://1/ http://0x7f.1/ http://[::ffff:1.2.3.4]/ http://[1.2.3.4]/ http://[2001:DB8::0:1]/ http://a:0/
http://a:65535/ http://a:65536/ http://a:-1/ http://a:8x/ http://a:x/ http://a:/ http://:80/ http:/// http://.a/ http://a./ http://a../ http://a..b/
http://a/%zz http://a/%41 http://a/<b> http://a/"b" http://a/'b' http://a/&b http://a/{b} http://a/|\`^\\ http://a_b/ http://-a/ http://a!b/
http://a%41/ http://ä/ http://a/ü http://a,b/ http://a:80:90/ http://[::1]x/ http://[::1]x:90/ cache_object://a cache_object://127.0.0.1/info
cache_object:///info cache_object://localhost/info@pw * / /x /x?<y> /squid-internal-mgr /squid-internal-mgr/info /squid-internal-mgr/a?b
/squid-internal-static/icons/SN.png /squid-internal-dynamic/netdb /squid-internal-mgrx /squid-internalx http://vm/squid-internal-mgr/menu
http://u@a@b/ http://@a/ http://u:@a/ http://:p@a/ //a/ a a/b http http: http:/ http:a 1a://b/ a+b://c/ abcdefghijklmnopq://a/ http://a;b/ foo:
mailto:x@y x:// a:443 a:80 a:22 a: a:0 a:70000 a:443x A.B:443 a..b:443 a.:443 .a:443 user@a:443 [::1]:22 [::1]:443 [::1 1.2.3.4:80 1.2.3:443 *:443
:443 a_b:25 http://169.254.169.254/latest/meta-data/ http://127.0.0.1:22/ http://localhost:3128/ http://10.0.0.1:8080/admin`.split(
    /\s+/,
  ),
  'http://a/b c',
  'http://a b/c',
  'http://a/b\tc',
  'http://a/\x0c',
  'http://a/\x01',
  'http://a/\x7f',
  'urn:ab:c d',
  '/x y',
  `http://${'a'.repeat(254)}/`,
  `http://${'a'.repeat(255)}/`,
  `http://${'a'.repeat(256)}/`,
  `http://a/${'x'.repeat(8_182)}`,
  `http://a/${'x'.repeat(8_183)}`,
]

export const PROXY_FIELDS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Proxy-Authorization',
    [
      ...[
        'Basic YWRtaW46bGV0bWVpbg==',
        'Basic YTpi',
        'Basic',
        'Basic ',
        'basic YTpi',
        'Basic !!!',
        'Basic YQ==',
        '',
      ],
      ...[
        'Basic OmI=',
        'Basic YTo=',
        'Digest username="a"',
        'NTLM TlRMTVNTUAABAAAA',
        'Negotiate abc',
        'Bearer x',
      ],
      ...['Basic  YTpi', 'Basic YTpi extra'],
    ],
  ],
  ['Proxy-Connection', ['close', 'keep-alive', 'Keep-Alive', 'x', 'keep-alive, close', 'CLOSE']],
  [
    'Accept-Language',
    ['en', 'en-US,en;q=0.9', 'en-gb', 'EN', 'xx', '*', 'zz,en', '', 'en-xx', ';', 'en;q=0'],
  ],
  ['Max-Forwards', ['0', '00', '1', 'x', '']],
  ['Via', ['1.1 x']],
]
