// The sentences of the files of a Bird.
const amount = (mib: number): string => `${mib.toFixed(mib < 10 ? 1 : 0)} MiB`

export const uploadWords = {
  kinds: {
    webroot: {
      title: 'Web site',
      lead: 'What its decoy web server shows. A zip takes the place of the site as soon as the Bird has it; its first page is index.html.',
    },
    share: {
      title: 'Files of the share',
      lead: 'What its decoy file share lists. A zip takes the place of all files once you save it.',
    },
  },
  drop: (most: number) => `Drop a zip here, or choose one: ${most} MiB at most.`,
  choose: 'Zip',
  tooLarge: (mib: number) => `This file has ${amount(mib)}; a zip may have 32 MiB. Nothing was sent.`,
  noZip: 'This file is no zip. Nothing was sent.',
  offline: 'The Bird is offline. Files can be sent when it is connected again.',
  sending: 'Sending the zip to the console',
  open: 'An upload was begun, on this page or another, and its zip has not arrived. Drop the zip to go on, or cancel it.',
  arrived: 'The zip has arrived. Save it, and its files take the place of the share.',
  save: 'Save',
  fetching: 'The Bird is getting the zip',
  cancelling: 'Cancelled: waiting for the Bird to confirm.',
  cancel: 'Cancel the upload',
  applied: { webroot: 'The Bird shows the new site.', share: 'The share has the new files.' },
  failed: 'The last upload changed nothing.',
  percent: (done: number, all: number) => `${Math.floor((100 * done) / Math.max(1, all))} %`,
}
