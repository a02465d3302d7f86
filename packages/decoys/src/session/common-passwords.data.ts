// Passwords that intruders try first: with them a decoy reads a response whose password it does not see.

const PLAIN = `
  123456 12345678 123456789 1234567890 1234567 12345 1234 123 111111 000000 123123 654321 666666 121212 112233 123321
  555555 777777 888888 999999 222222 333333 444444 11111111 00000000 88888888 0000 1111 1212 1313 2000 4321 54321
  87654321 987654321 0987654321 147258369 159753 789456 789456123 456789 131313 101010 232323 696969 520520 5201314
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz@WSX 1qaz!QAZ 1qazxsw2 2wsx3edc 3edc4rfv !QAZ2wsx q1w2e3 q1w2e3r4 qwe123
  qwe123!@# qweasd qweasdzxc qweasd123 qwer1234 qwer qwert qwerty qwertyui qwertyuiop qwerty1 qwerty12 qwerty123
  qwerty1234 qwerty12345 QWERTY asd123 asdf asdfg asdfgh asdfghjk asdfghjkl asdfasdf asdf1234 zxcvbn zxcvbnm zxc123
  zaq12wsx zaq1zaq1 zaq1@WSX azerty azerty123 aaaaaa abc123 abc1234 abcd abcd1234 abcdef abcdefg a123456 a12345678
  a1b2c3 a1b2c3d4 aa123456 Aa123456 Aa123456! Aa@123456 Abc123 Abc123! Abc@123 Abcd1234 Abcd@1234 123abc 123qwe
  123qweasd 123qweASD 123456a 123456q 123456789a 1234qwer 12qwaszx 123!@# !@#$%^ !@#$%^&* !@# !@#$ !@#$% p@ssw0rd
  P@ssw0rd P@ssw0rd! P@ssw0rd1 P@ssw0rd123 P@$$w0rd P@$$word p@ssword P@ssword P@ssword1 P@ssword123 Passw0rd passw0rd
  Passw0rd! pass Pass pass1 pass12 pass1234 passwd Passwd passwd123 passpass passphrase secret s3cret secret123 private
  changeme changeme1 changeme123 Changeme1 ChangeMe changeit default default123 letmein letmein1 letmein123 letmein!
  welcome1 welcome12 Welcome1 Welcome1! Welcome@1 Welcome01 trustno1 iloveyou iloveyou1 loveme lovely sunshine princess
  dragon monkey master shadow superman batman spiderman starwars pokemon naruto football baseball basketball soccer
  hockey tennis golf hunter hunter2 killer ninja matrix mustang ferrari porsche mercedes yamaha harley cowboy ranger
  buster charlie michael jordan jordan23 jessica jennifer ashley michelle nicole daniel andrew joshua thomas robert
  george matthew anthony william richard joseph steven martin hannah amanda melissa samantha stephanie maggie bailey
  ginger pepper cookie cheese banana orange apple cherry chocolate coffee flower butterfly rainbow purple yellow silver
  golden diamond crystal angel angels heaven freedom liberty whatever nothing something internet computer laptop
  hello hello123 hello1 hallo hola bonjour welcome goodbye access access14 login login123 logon signin enter open
  biteme fuckyou fuckme asshole pussy sexy 69696969 blink182 metallica nirvana slipknot eminem beatles elvis chelsea
  liverpool arsenal barcelona madrid juventus yankees cowboys lakers steelers eagles bigdog scooter peanut snoopy
  mickey minnie tigger garfield winnie bubbles sweety lovers forever family mother father brother sister summer winter
  spring autumn monday friday january august september october november december 2020 2021 2022 2023 2024 2025 2026
  Summer2024 Summer2025 Summer2026 Winter2024 Winter2025 Winter2026 Spring2025 Spring2026 Autumn2025 Autumn2026
  january1 Company123 company office business finance account accounts payment invoice money bank banking
  r00t r00tme rootme rootroot rootpass rootpw rootpassword root@localhost toor toor123 t00r superuser superuser1 su
  sysadmin sysadm sysop system system1 manager manager1 supervisor operator operator1 monitor monitor1 monitoring
  nagios zabbix cacti munin icinga grafana prometheus splunk elastic kibana logstash solarwinds observium librenms
  dbadmin dbuser dbpass dbpassword dba dba123 dbroot db db123 db2admin db2inst1 sa sa123 sysdba tiger scott oracle
  postgres pgsql sqlserver mssql sqlite mongo mongodb couchdb cassandra memcached redis foobared elasticsearch
  mysqladmin mysqluser mysqlpass mysqlpassword mysqlroot mysql_root my-secret-pw my_secret_pw mypass mypassword
  MyNewPass MyNewPass4! mariadbroot maria galera replication replicator repl repl_password slave slavepass slave_password
  phpmyadmin pma pmapass wordpress wpuser wppass wp joomla drupal typo3 magento prestashop opencart moodle mediawiki
  nextcloud owncloud gitlab gitea jenkins sonar sonarqube nexus artifactory confluence jira bamboo bitbucket redmine
  tomcat tomcat1 s3cret! manager123 jboss wildfly glassfish weblogic weblogic1 websphere apache nginx httpd iis lamp xampp
  wamp mamp bitnami vagrant docker docker123 kubernetes k8s rancher portainer ansible puppet chef salt terraform ubuntu
  debian centos redhat fedora suse alpine raspberry raspberrypi pi kali arch linux unix solaris freebsd windows
  administrator Administrator Administrator1 adm admin1 admin12 admin1234 admin12345 admin123456 admin@1234 admin!@#
  adminadmin admin@localhost admin888 adminpass adminpassword adminpw administrator1 administrator123 4dm1n 4dmin
  nimda 123admin user user1 user1234 username guest guest1 guest1234 anonymous anon public nobody test test1 test12
  test1234 test12345 test123456 test@1234 testtest testing testing123 tester testuser testpass tester1 demo demo1 demo1234
  temp temp1 temp1234 temporary tmp tmp123 example sample dummy blank none null empty unknown void
  dev dev123 devel develop developer developer1 prod production prod123 stage staging qa qa123 uat ci deploy deployer
  build builder backup backup1 backups bkp restore archive ftp ftpuser ftppass upload download web webadmin webmaster www
  www-data webuser mail mailadmin postmaster email smtp imap vpn vpn123 proxy router cisco cisco123 Cisco123 juniper
  mikrotik ubnt fortinet firewall netgear netgear1 linksys dlink tplink zyxel huawei Huawei@123 admin@huawei.com hp hpinvent
  dell calvin supermicro ADMIN ilo ipmi idrac lenovo ibm PASSW0RD asterisk freepbx elastix voip sip pbx 3cx
  camera hikvision hik12345 dahua axis vizxv xc3511 xmhdipc jvbzd anko zlxx. 7ujMko0vizxv 7ujMko0admin klv123 klv1234
  juantech oelinux123 realtek hi3518 tl789 ikwb dreambox GM8182 antslq meinsm fucker smcadmin support support123 tech
  technician service service1 maint field engineer engineering student student1 teacher school college university library
  hospital doctor nurse patient medical clinic pharmacy hotel guestwifi wifi wireless internet1 phone mobile android
  iphone samsung samsung1 nokia sony google google1 facebook twitter linkedin youtube yahoo hotmail gmail amazon apple1
  microsoft Microsoft1 azure aws cloud cloud123 server server1 server2003 server2008 server2012 server2016 server2019
  server2022 sql sql123 sql2005 sql2008 sql2012 sql2016 sql2019 sqladmin sqlpass sqlpassword database database1 data
  data123 warehouse reports reporting crm erp sap sapadmin odoo openerp hr payroll sales marketing helpdesk itadmin
  itsupport security secure secure123 secure1 safe safety keepout noaccess opensesame sesame abracadabra hocuspocus magic
  alpha beta gamma delta omega zeus apollo athena hermes thor odin loki phoenix falcon eagle tiger1 lion wolf bear
  panda dolphin shark turtle snake cobra viper scorpion spider mouse rabbit horse pony kitty kitten puppy doggie
`
  .trim()
  .split(/\s+/)

/** Words that people lengthen, and with what. */
const STEMS = `
  password Password admin Admin root Root mysql MySQL mariadb MariaDB database Database welcome Welcome server Server test
  Test user User guest oracle Oracle backup Backup company secret Secret qwerty Qwerty master Master system System
  summer Summer winter Winter login Login
`
  .trim()
  .split(/\s+/)
const ENDINGS = `'' 1 12 123 1234 12345 ! 1! 123! @1 @123 #123 _123 2024 2025 2026 @2025 @2026`
  .split(' ')
  .map((ending) => (ending === "''" ? '' : ending))

/** No two are equal. */
export const COMMON_PASSWORDS: readonly string[] = [
  ...new Set([...PLAIN, ...STEMS.flatMap((stem) => ENDINGS.map((ending) => stem + ending))]),
]
