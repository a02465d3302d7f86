// Ten controllers, as their makers name them. None of them is one that a published decoy shows.
import type { Controller } from './controller-form.ts'

/** In a serial number `#` is a digit that is drawn. */
export const CONTROLLERS: readonly Controller[] = [
  {
    identity: [
      'Schneider Electric',
      'TM221CE24R',
      'V1.12',
      'http://www.se.com',
      'Modicon M221',
      'TM221CE24R',
      '',
    ],
    makerPrefix: '0080f4',
    product: '3833.1',
    serial: '8A########',
  },
  {
    identity: ['WAGO', '750-8212', '03.10', 'http://www.wago.com', 'PFC200', 'PFC200 G2 2ETH RS', ''],
    makerPrefix: '0030de',
    product: '13576.1',
    serial: '4021####+####',
  },
  {
    identity: [
      'Phoenix Contact',
      '2700975',
      '4.42',
      'http://www.phoenixcontact.com',
      'ILC 171 ETH 2TX',
      'ILC 171',
      '',
    ],
    makerPrefix: '00a045',
    product: '4346.1',
    serial: '13########',
  },
  {
    identity: ['ABB', '1SAP141000R0271', '3.5.0', 'http://www.abb.com', 'AC500', 'PM564-RP-ETH', ''],
    makerPrefix: '002459',
    product: '25761.1',
    serial: '0000####',
  },
  {
    identity: ['Moxa Inc.', 'E1214', 'V3.2', 'http://www.moxa.com', 'ioLogik E1214', 'ioLogik E1200', ''],
    makerPrefix: '0090e8',
    product: '8691.10.1214',
    serial: 'TAH#########',
  },
  {
    identity: ['Delta Electronics', 'DVP12SE11R', 'V1.88', 'http://www.deltaww.com', 'DVP-SE', 'DVP12SE', ''],
    makerPrefix: '001823',
    product: '2254.1',
    serial: 'W1########',
  },
  {
    identity: [
      'Advantech',
      'ADAM-6050',
      'A6.02',
      'http://www.advantech.com',
      'ADAM-6000',
      'ADAM-6050-D1',
      '',
    ],
    makerPrefix: '00d0c9',
    product: '10297.1',
    serial: 'IAA#######',
  },
  {
    identity: [
      'Janitza electronics',
      '5232001',
      '5.009',
      'http://www.janitza.com',
      'UMG 604-PRO',
      'UMG 604',
      '',
    ],
    makerPrefix: '000e6b',
    product: '34278.1',
    serial: '7000####',
  },
  {
    identity: ['SOCOMEC', 'DIRIS A-40', '1.24', 'http://www.socomec.com', 'DIRIS', 'DIRIS A40', ''],
    makerPrefix: '00174a',
    product: '4555.1',
    serial: '1#########',
  },
  {
    identity: ['Eaton', 'XC-152', '2.3.9', 'http://www.eaton.com', 'XC100', 'XC-152-D6-11', ''],
    makerPrefix: '00054b',
    product: '534.1',
    serial: 'KZ######',
  },
]
