// Amounts are integers of the currency's smallest unit (docs.stripe.com/currencies).
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const WITH_THREE = new Set('BHD JOD KWD OMR TND'.split(' '))

/** `1250` of `EUR` as `12.50`; the currency in capitals. */
export function amountText(minor: number, currency: string): string {
  if (WITHOUT_DECIMALS.has(currency)) return String(minor)
  const decimals = WITH_THREE.has(currency) ? 3 : 2
  return (minor / 10 ** decimals).toFixed(decimals)
}
