#!/usr/bin/env bash
# A tour of the API: each task that a console is for, by curl alone, in the order in which somebody new would do them.
#
#   CONSOLE=http://127.0.0.1:8080 KEY=$(cat data/admin.key) docs/api-tour.sh
#
# KEY is an API key of type admin. Where a Bird waits to be let in (`npx rookery bird --console "$CONSOLE"`), it is registered,
# moved, rebooted and removed again; else those steps are left out. RECEIVER, an https URL that takes alerts, gets a test.
# Everything that the tour makes is removed at its end. It stops at the first answer that is not what it should be.
set -euo pipefail
: "${CONSOLE:=http://127.0.0.1:8080}" "${KEY:?KEY must be an API key of type admin}" "${RECEIVER:=}"

api="$CONSOLE/api/v1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { printf '\n== %s\n' "$*"; }

# call METHOD path [name=value ...]: the parameters go into the query of a GET, into a form otherwise.
call() {
  local method=$1 path=$2 pair
  shift 2
  local args=(-sS --fail-with-body -H "X-Auth-Token: $KEY" -X "$method")
  if [ "$method" = GET ]; then args+=(-G); fi
  for pair in "$@"; do args+=(--data-urlencode "$pair"); done
  answer=$(curl "${args[@]}" "$api/$path") || fail "$method $path"
  printf '%s %s %s\n  %s\n' "$method" "$path" "$*" "$(printf '%s' "$answer" | cut -c1-200)"
}

# refused STATUS METHOD path [name=value ...]: the same, for what must not succeed.
refused() {
  local wanted=$1 method=$2 path=$3 pair status
  shift 3
  local args=(-sS -o "$work/refusal" -w '%{http_code}' -H "X-Auth-Token: $KEY" -X "$method")
  if [ "$method" = GET ]; then args+=(-G); fi
  for pair in "$@"; do args+=(--data-urlencode "$pair"); done
  status=$(curl "${args[@]}" "$api/$path")
  answer=$(cat "$work/refusal")
  printf '%s %s %s\n  %s %s\n' "$method" "$path" "$*" "$status" "$answer"
  [ "$status" = "$wanted" ] || fail "$path was answered with $status instead of $wanted"
}

# field name: the first text or number of that name in the last answer.
field() { printf '%s' "$answer" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" | head -n 1; }

# expect text: the last answer holds it.
expect() { case $answer in *"$1"*) ;; *) fail "expected $1" ;; esac; }

fail() {
  printf 'The tour stops: %s\n  %s\n' "$*" "${answer:-}" >&2
  exit 1
}

step 'The console answers, and the key is good'
call GET ping
expect '"result":"success"'

step 'Four spellings of one request: form, query, multipart, JSON (the key may be a header, a bearer or a parameter)'
call POST flock/create name='Tour'
flock=$(printf '%s' "$answer" | sed 's/.*"flock_id":"\([^"]*\)".*/\1/')
answer=$(curl -sS --fail-with-body "$api/flock/note/add" -d "auth_token=$KEY" -d "flock_id=$flock" --data-urlencode 'note=by form') || fail form
answer=$(curl -sS --fail-with-body -X POST -G "$api/flock/note/add" -H "Authorization: Bearer $KEY" --data-urlencode "flock_id=$flock" --data-urlencode 'note=by query') || fail query
call GET flock/note flock_id="$flock"
expect '"note":"by query"'
answer=$(curl -sS --fail-with-body "$api/flock/note/add" -F "auth_token=$KEY" -F "flock_id=$flock" -F 'note=by multipart') || fail multipart
call GET flock/note flock_id="$flock"
expect '"note":"by multipart"'
answer=$(curl -sS --fail-with-body "$api/flock/note/add" -H "X-Auth-Token: $KEY" -H 'Content-Type: application/json' -d "{\"flock_id\":\"$flock\",\"note\":\"by JSON\"}") || fail JSON
call GET flock/note flock_id="$flock"
expect '"note":"by JSON"'

step 'Notes, names and limits of Flocks'
call POST flock/rename flock_id="$flock" name='Tour, third floor'
call GET flocks/list
expect 'Tour, third floor'
call POST flock/limit/set flock_id="$flock" limit=5
call POST flock/limit/enable flock_id="$flock"
call GET flock/limit/get flock_id="$flock"
expect '"is_enabled":true'
call DELETE flock/note/delete flock_id="$flock"

step 'Register a Bird that waits, assign it, reboot it, query it, remove it'
call GET devices/commission/pending
pending=$(printf '%s' "$answer" | sed -n 's/.*"device_id":"\([0-9a-f]*\)".*/\1/p' | head -n 1)
if [ -n "$pending" ]; then
  call POST device/commission node_id="$pending" flock_id="$flock"
  call POST flock/move node_id="$pending" flock_id=flock:default
  call POST device/describe node_id="$pending" name='tour-bird' location='Lab' note='Made by the tour'
  call POST device/notifications node_id="$pending" ignore_notifications_general=true
  call POST device/reboot node_id="$pending"
  call GET device/info node_id="$pending" settings=true tz=Europe/Berlin
  expect 'tour-bird'
  call GET devices/filter filter_str=tour-bird
  expect "$pending"
  call GET device/ips include_annotations=true
  call POST device/decommission node_id="$pending" skip_poweroff=true
else
  echo 'No Bird waits: left out.'
fi
call GET devices/all
call GET devices/live
call GET devices/dead

step 'Plant a token through a factory: its key can do nothing else'
call GET decoytokens/factory/list
expect '"http"'
call POST decoytoken/create_factory flock_id="$flock" memo='The tour'
factory=$(field factory_auth)
answer=$(curl -sS --fail-with-body "$api/decoytoken/factory/create" -F "factory_auth=$factory" -F kind=http -F 'memo=In a drawer') || fail 'factory/create'
printf 'POST decoytoken/factory/create\n  %s\n' "$(printf '%s' "$answer" | cut -c1-200)"
token=$(printf '%s' "$answer" | sed 's/.*"decoytoken":"\([^"]*\)".*/\1/')
url=$(field url)
answer=$(curl -sS -o /dev/null -w '%{http_code}' -G "$api/incidents/all" --data-urlencode "auth_token=$factory")
[ "$answer" = 403 ] || fail 'a factory key read incidents'
call GET decoytoken/list_factories
expect "$factory"
call GET decoytoken/fetch decoytoken="$token"
call POST decoytoken/update decoytoken="$token" memo='In the other drawer'
call GET decoytokens/search filter_str='other drawer'
expect "$token"

step 'Somebody opens it: an incident'
curl -sS -o /dev/null -A 'tour/1' "$url" || fail "nobody serves $url"
call GET incidents/unacknowledged flock_id="$flock" tz=Europe/Berlin limit=10
expect "$token"
incident=$(printf '%s' "$answer" | grep -o '"id":"incident:[^"]*"' | head -n 1 | sed 's/"id":"\(.*\)"/\1/')
since=$(field max_updated_id)
call GET incident/fetch incident="$incident" extended_details=true
call GET incidents/search filter_str='Decoytoken' filter_incident_state=all flock_id="$flock"
expect '"total_results":1'
call GET incidents/all incidents_since="$since"
call GET incidents/history/source src_ip=127.0.0.1 flock_id="$flock"
expect "$incident"

step 'Acknowledge it, take that back, and delete it; one at a time, then all that match'
refused 409 DELETE incident/delete incident="$incident"
call POST incident/acknowledge incident="$incident"
expect '"action":"acknowledged"'
call GET incidents/acknowledged flock_id="$flock"
expect "$incident"
call POST incident/unacknowledge incident="$incident"
call POST incidents/acknowledge flock_id="$flock" older_than=0h
expect "$incident"
call POST incidents/unacknowledge flock_id="$flock"
call DELETE incidents/delete flock_id="$flock" include_unacknowledged=true
expect '"action":"deleted"'
refused 404 DELETE incident/delete incident="$incident"

step 'Ignore lists: of the console, and of a Flock'
call GET settings/is_ip_ignored src_ip=192.0.2.77
was_ignored=$answer
call POST settings/whitelist_ip_port src_ip=192.0.2.77 dst_port=8443
call GET settings/is_ip_ignored src_ip=192.0.2.77 dst_port=8443
expect '"is_ip_whitelisted":true'
call POST settings/whitelisting/remove_whitelist_ip src_ip=192.0.2.77
call GET settings/is_ip_ignored src_ip=192.0.2.77
[ "$answer" = "$was_ignored" ] || fail 'the address is still ignored'
refused 400 POST settings/whitelisting/whitelist_ips whitelist_ips=$'192.0.2.1\nnot-an-address'
call GET settings/ignored_annotations
call GET settings/is_hostname_whitelisted hostname=scanner.example.org
call POST flock/settings/whitelisting/ip/save flock_id="$flock" whitelist='192.0.2.78,192.0.2.79:443'
call POST flock/settings/whitelisting/ip/whitelist_ip_port flock_id="$flock" src_ip=192.0.2.80
call POST flock/settings/whitelisting/ip/inherit_global/enable flock_id="$flock"
call POST flock/settings/whitelisting/ip/enable flock_id="$flock"
call GET flock/settings/whitelisting/ip/is_ip_whitelisted flock_id="$flock" src_ip=192.0.2.79 dst_port=443
expect '"is_whitelisted":true'
call GET flock/settings/whitelisting/ip/string flock_id="$flock"
call GET flock/settings/whitelisting/ip/sanitized flock_id="$flock"
call GET flock/settings/whitelisting/info flock_id="$flock"
call POST flock/settings/whitelisting/ip/use_global flock_id="$flock"

step 'Who is notified: the webhooks of a Flock, of all four kinds'
hook=${RECEIVER:-https://alerts.example.com/tour}
call POST flock/settings/webhooks/generic/add flock_id="$flock" url="$hook" headers='{"X-Team":"blue"}'
call GET flock/settings/webhooks/generic/list flock_id="$flock"
expect '"header_names":["X-Team"]'
call POST flock/settings/webhooks/teamchat/add flock_id="$flock" url="$hook"
call GET flock/settings/webhooks/teamchat flock_id="$flock"
call POST flock/settings/webhooks/siem/add flock_id="$flock" host=collector.example.com port=8088 token=11111111-2222-3333-4444-555555555555
call GET flock/settings/webhooks/siem flock_id="$flock"
call GET flock/settings/webhooks/chatops flock_id="$flock"
call POST flock/settings/webhooks/enable flock_id="$flock"
call GET flock/settings/webhooks/is_enabled flock_id="$flock"
expect '"is_enabled":true'
call POST flock/settings/webhooks/use_global flock_id="$flock"
call GET flock/settings/webhooks/is_global flock_id="$flock"
call GET flock/settings/webhooks/info flock_id="$flock"
if [ -n "$RECEIVER" ]; then
  call POST flock/settings/webhooks/generic/test flock_id="$flock" url="$hook"
  call POST flock/settings/webhooks/teamchat/test flock_id="$flock" url="$hook"
fi
call POST flock/settings/webhooks/generic/remove flock_id="$flock" url="$hook"
call POST flock/settings/webhooks/teamchat/remove flock_id="$flock" url="$hook"
call POST flock/settings/webhooks/siem/remove flock_id="$flock"

step 'Change alerts: tell when somebody changes settings'
for group in flock_settings device_settings; do
  call POST "flock/settings/change_control/$group/enable" flock_id="$flock"
  call GET "flock/settings/change_control/$group/is_enabled" flock_id="$flock"
  expect '"is_enabled":true'
  call POST "flock/settings/change_control/$group/use_global" flock_id="$flock"
  call GET "flock/settings/change_control/$group/is_global" flock_id="$flock"
  expect '"is_global":true'
done
call GET flock/settings/change_control/info flock_id="$flock"

step 'Keys: of three types, from some addresses only, for some time only'
call POST auth_token/add auth_token_type=read-only note='Tour dashboard' allowed_ip_ranges=127.0.0.0/8,::1 expires=2099-12-31-00:00:00
key_id=$(printf '%s' "$answer" | sed 's/.*"key_id":"\([^"]*\)".*/\1/')
reader=$(field auth_token)
curl -sS --fail-with-body -o /dev/null -H "X-Auth-Token: $reader" "$api/devices/all" || fail 'the new key does not read'
answer=$(curl -sS -o /dev/null -w '%{http_code}' -H "X-Auth-Token: $reader" -X POST "$api/flock/note/add")
[ "$answer" = 403 ] || fail 'a read-only key may write'
call GET auth_token/list
expect "$key_id"
curl -sS --fail-with-body -G -H "X-Auth-Token: $KEY" --data-urlencode "key_id=$key_id" -o "$work/rookery.ini" "$api/auth_token/download"
grep -q '^\[Rookery\]' "$work/rookery.ini" || fail 'the file of the key is not as expected'
call DELETE auth_token/remove key_id="$key_id"
answer=$(curl -sS -o /dev/null -w '%{http_code}' -H "X-Auth-Token: $reader" "$api/ping")
[ "$answer" = 401 ] || fail 'a removed key still works'

step 'Users: who they are, and which Flocks they manage or watch'
call POST user/create email=tour@example.com password='a long one, for the tour' access_level=user
call POST user/flock/assign email=tour@example.com flock_id="$flock" role=watcher
call GET user/get email=tour@example.com
expect "$flock"
call GET user/auth email=tour@example.com
call GET users/filter filter_str=tour@
call GET users/list
expect 'tour@example.com'
call DELETE user/delete email=tour@example.com

step 'Integrations, and what was done: the audit trail'
call GET settings/integrations
expect 'assetinv'
case $answer in
  *'"assetinv":false'*)
    answer=$(curl -sS -o "$work/refusal" -w '%{http_code}' -X POST -H "X-Auth-Token: $KEY" "$api/settings/integrations/assetinv/enable")
    case $answer in
      200) call POST settings/integrations/assetinv/disable ;;
      409) echo 'The asset inventory is not configured: it cannot be switched on.' ;;
      *) fail 'settings/integrations/assetinv/enable' ;;
    esac
    ;;
esac
call GET audit_trail/fetch limit=5
expect 'tour@example.com'

step 'Clean up'
call DELETE decoytoken/delete decoytoken="$token"
call DELETE decoytoken/delete_factory factory_auth="$factory"
expect 'TokenFactory auth string deleted'
call POST flock/delete flock_id="$flock"
refused 404 GET flock/note flock_id="$flock"

printf '\nThe tour is over: everything was as it should be.\n'
