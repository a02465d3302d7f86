// The macro that reports who opened a document: by HTTP, and where that does not leave the network, by a look-up.
import type { TokenAddress } from '../../token.ts'

/** Ends the labels in front of the token's host name: `<user>.<computer>.<domain>.mac`. */
export const MACRO_MARKER = 'mac'

interface OpeningEvent {
  /** Such as `Workbook_Open`. */
  readonly event: string
  /** Opens an address, where there is no WinHTTP: `Workbooks.Open`. */
  readonly open: string
}

/** It writes nothing, and shows nothing. LibreOffice runs it as well, and opens the address as a document. */
export const openingMacro = ({ url, hostname }: TokenAddress, { event, open }: OpeningEvent): string[] => [
  `Private Sub ${event}()`,
  '  On Error Resume Next',
  '  Dim request As Object',
  '  Dim user As String, computer As String, domain As String, address As String',
  '  user = Environ("USERNAME")',
  '  computer = Environ("COMPUTERNAME")',
  '  domain = Environ("USERDOMAIN")',
  `  address = "${quoted(url)}?user=" & user & "&computer=" & computer & "&domain=" & domain & "&app=" & Application.Version`,
  '  address = Replace(address, " ", "%20")',
  '  Set request = CreateObject("WinHttp.WinHttpRequest.5.1")',
  '  If request Is Nothing Then',
  `    ${open} address`,
  '  Else',
  '    request.SetTimeouts 3000, 3000, 3000, 3000',
  '    Err.Clear',
  '    request.Open "GET", address, False',
  '    request.Send',
  '    If Err.Number <> 0 Then',
  `      request.Open "GET", "http://" & Replace(user, " ", "-") & "." & computer & "." & domain & ".${MACRO_MARKER}.${quoted(hostname)}/", False`,
  '      request.Send',
  '    End If',
  '  End If',
  'End Sub',
]

const quoted = (text: string): string => text.replaceAll('"', '""')
