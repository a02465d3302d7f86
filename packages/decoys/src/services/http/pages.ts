// What a web server shows under these settings: an uploaded webroot, or a skin.
import type { BirdFolders, BirdSettings } from '../../session.ts'
import { loadSkin, type Skin } from './skin.ts'
import { loadWebroot } from './webroot.ts'

/** http and https show the same. */
const webroots = new WeakMap<BirdSettings, Skin>()

export function pagesOf(settings: BirdSettings, folders: BirdFolders | undefined): Skin {
  const skin = loadSkin(String(settings['http.skin']))
  if (settings['http.userwebroot_present'] !== true) return skin
  if (!folders) throw new Error('http.userwebroot_present is true, but there is no folder for a webroot here')
  const webroot = webroots.get(settings) ?? loadWebroot(folders.webroot, skin)
  webroots.set(settings, webroot)
  return webroot
}
