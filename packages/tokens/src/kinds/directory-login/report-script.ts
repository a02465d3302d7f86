// PowerShell that makes a task on each domain controller of Windows. Once a minute the task reads the new logon events of the
// security log, and reports those of the accounts.
import type { TokenAddress } from '../../token.ts'
import { LOGON_EVENT_IDS } from './logon.ts'
import { LOOK_UP_MARKER } from './look-up.ts'

/** Of the log: a task that reads more might not end in its time. */
const HOUR_MS = 3_600_000

/** To run once, as an administrator of the domain. Names and address are validated: none needs an escape. */
export const reportScript = (address: TokenAddress, names: readonly string[]): string =>
  `#Requires -RunAsAdministrator
# Run this once on a domain controller, as an administrator of the domain. It makes the scheduled task 'Directory report' on each
# domain controller. The audit policy must record logons there (success and failure): Credential Validation, Kerberos
# Authentication Service, Logon. To remove it: Unregister-ScheduledTask 'Directory report', and delete its folder.
$report = @'
${taskScript(address, names)}'@

$controllers = [DirectoryServices.ActiveDirectory.Domain]::GetCurrentDomain().DomainControllers | ForEach-Object { $_.Name }
Invoke-Command -ComputerName $controllers -ArgumentList $report -ScriptBlock {
  param($report)
  $folder = Join-Path $env:ProgramData 'Directory report'
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  # SYSTEM and the administrators alone: the script names the accounts.
  icacls.exe $folder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null
  $script = Join-Path $folder 'report.ps1'
  Set-Content -Encoding UTF8 -Path $script -Value $report
  $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -NonInteractive -ExecutionPolicy Bypass -File \`"$script\`""
  $trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 1) -RepetitionDuration (New-TimeSpan -Days 3650)
  $principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest
  $settings = New-ScheduledTaskSettingsSet -MultipleInstances IgnoreNew -StartWhenAvailable -ExecutionTimeLimit (New-TimeSpan -Minutes 10)
  Register-ScheduledTask -Force -TaskName 'Directory report' -Action $action -Trigger $trigger -Principal $principal -Settings $settings | Out-Null
}
`

/** What the task runs: by HTTP where the address can be reached, else by look-ups. */
const taskScript = ({ url, hostname }: TokenAddress, names: readonly string[]): string =>
  `$names = @(${names.map((name) => `'${name}'`).join(', ')})
$url = '${url}'
$zone = '${hostname}'
$position = Join-Path $PSScriptRoot 'position.txt'

$newest = (Get-WinEvent -LogName Security -MaxEvents 1).RecordId
# The first run reports nothing of the past. A log that was cleared counts from 1 again.
$last = if (Test-Path $position) { [long](Get-Content $position) } else { $newest }
if ($last -gt $newest) { $last = 0 }
# What could not be reported is read again, for an hour.
$query = "*[System[(${LOGON_EVENT_IDS.map((id) => `EventID=${id}`).join(' or ')}) and EventRecordID>$last and EventRecordID<=$newest and TimeCreated[timediff(@SystemTime)<=${HOUR_MS}]]]"

$seen = @{}
$found = @(foreach ($record in Get-WinEvent -LogName Security -FilterXPath $query -Oldest -ErrorAction SilentlyContinue) {
  $values = @{}
  foreach ($value in ([xml]$record.ToXml()).Event.EventData.Data) { $values[$value.Name] = $value.'#text' }
  $name = ("$($values.TargetUserName)" -replace '^.*\\\\', '') -replace '@.*$', ''
  if ($names -notcontains $name) { continue }
  $logon = [ordered]@{ EventID = $record.Id; Computer = $record.MachineName; TargetUserName = $name }
  foreach ($key in 'IpAddress', 'WorkstationName', 'Workstation', 'LogonType', 'Status', 'SubStatus') {
    if ($values[$key]) { $logon[$key] = $values[$key] }
  }
  # The same logon again is no news within a minute.
  $same = @($logon.Values) -join '|'
  if ($seen[$same]) { continue }
  $seen[$same] = $true
  @{ Id = $record.RecordId; Logon = $logon }
})

function Save-Position([long]$id) {
  Set-Content -Path $position -Value $id
  $script:last = $id
}

function Send-Post {
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072
  for ($at = 0; $at -lt $found.Count; $at += 50) {
    $part = @($found[$at..([Math]::Min($at + 49, $found.Count - 1))])
    $lines = $part | ForEach-Object { ConvertTo-Json -Compress $_.Logon }
    $body = [Text.Encoding]::UTF8.GetBytes(($lines -join "\`n"))
    Invoke-WebRequest -UseBasicParsing -TimeoutSec 20 -Method Post -ContentType 'application/json' -Uri $url -Body $body | Out-Null
    Save-Position $part[-1].Id
  }
}

function Get-Hex([byte[]]$bytes) { ($bytes | ForEach-Object { $_.ToString('x2') }) -join '' }

# A label has at most 63 characters.
function Get-HexText([string]$text, [int]$most) {
  $hex = Get-Hex ([Text.Encoding]::UTF8.GetBytes($text))
  $hex.Substring(0, [Math]::Min(2 * $most, $hex.Length))
}

function Send-LookUp($logon) {
  $address = $null
  $source = if ([Net.IPAddress]::TryParse("$($logon.IpAddress)", [ref]$address)) { Get-Hex ($address.GetAddressBytes()) } else { '' }
  $status = if (("$($logon.SubStatus)" -replace '^0x', '') -match '[1-9a-f]') { $logon.SubStatus } else { $logon.Status }
  $id = -join (1..8 | ForEach-Object { [char](Get-Random -Minimum 97 -Maximum 123) })
  $labels = @(
    $logon.EventID
    'u' + (Get-HexText $logon.TargetUserName 20)
    'a' + $source
    'w' + (Get-HexText "$($logon.WorkstationName)$($logon.Workstation)" 15)
    'd' + (Get-HexText ("$($logon.Computer)" -replace '\\..*$', '') 15)
    't' + $logon.LogonType
    's' + $status
    $id
    '${LOOK_UP_MARKER}'
  )
  $name = ($labels -join '.') + '.' + $zone
  # DNS has no longer names, now or later.
  if ($name.Length -le 253) { Resolve-DnsName -Type A -Name $name -ErrorAction Stop | Out-Null }
}

function Send-LookUps {
  foreach ($item in $found) {
    if ($item.Id -le $last) { continue }
    Send-LookUp $item.Logon
    Save-Position $item.Id
  }
}

try { Send-Post } catch {
  # Where neither is answered, the next run tries again.
  try { Send-LookUps } catch { exit 1 }
}
Save-Position $newest
`
