// A printer’s raw port, as the first of the ten: a preset, and a part of the personality of a printer.
export const JETDIRECT = {
  title: 'JetDirect (a printer’s raw port)',
  settings: {
    'tcpbanner_1.port': 9100,
    'tcpbanner_1.initbanner': '',
    'tcpbanner_1.datareceivedbanner': '@PJL INFO ID\\r\\n"Brother MFC-8860DN"\\r\\n\\x0c',
  },
}
