// Ten devices that speak Modbus, as their makers name them. None of them is one that a published decoy shows.
import type { Identity } from './protocol/identity.ts'

export const DEVICES: readonly Identity[] = [
  ['Schneider Electric', 'TM221CE24R', 'V1.12', 'http://www.se.com', 'Modicon M221', 'TM221CE24R', ''],
  ['WAGO', '750-8212', '03.10', 'http://www.wago.com', 'PFC200', 'PFC200 G2 2ETH RS', ''],
  ['Phoenix Contact', '2700975', '4.42', 'http://www.phoenixcontact.com', 'ILC 171 ETH 2TX', 'ILC 171', ''],
  ['ABB', '1SAP141000R0271', '3.5.0', 'http://www.abb.com', 'AC500', 'PM564-RP-ETH', ''],
  ['Moxa Inc.', 'E1214', 'V3.2', 'http://www.moxa.com', 'ioLogik E1214', 'ioLogik E1200', ''],
  ['Delta Electronics', 'DVP12SE11R', 'V1.88', 'http://www.deltaww.com', 'DVP-SE', 'DVP12SE', ''],
  ['Advantech', 'ADAM-6050', 'A6.02', 'http://www.advantech.com', 'ADAM-6000', 'ADAM-6050-D1', ''],
  ['Janitza electronics', '5232001', '5.009', 'http://www.janitza.com', 'UMG 604-PRO', 'UMG 604', ''],
  ['SOCOMEC', 'DIRIS A-40', '1.24', 'http://www.socomec.com', 'DIRIS', 'DIRIS A40', ''],
  ['Eaton', 'XC-152', '2.3.9', 'http://www.eaton.com', 'XC100', 'XC-152-D6-11', ''],
]
