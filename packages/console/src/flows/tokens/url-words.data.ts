// Words of ordinary web sites, for token URLs: no common pattern gives a token of this console away.

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Folders that a path may lead through. */
export const FOLDERS = list(`
  about account accounts admin api app apps archive articles assets auth backup banners billing blog brand branding
  build cache calendar campaign campaigns careers cart catalog cdn charts checkout client clients cloud common community
  company compliance config connect contact content core corporate css customer customers dashboard data deploy
  desktop dev devices docs documents download downloads edge email employees en engine events export exports external
  faq feedback feeds files finance fonts forms forum gallery global guide guides handbook help home hr html icons images
  img import inbox include index info inside internal intranet invoices js kb labs lang latest layout legacy legal lib
  library links lists live local login logos logs mail maintenance manual marketing media members menu messages mobile
  modules monitor network news newsletter notes notices office offices online orders pages panel partner partners
  payments people photos pics plans platform policies policy portal posts preferences press preview pricing print
  private process product products profile profiles projects promo public publications purchase reference region
  register releases remote reports repository requests research resources review reviews sales samples scripts search
  secure security server service services settings setup share shared shop site sites skins software solutions source
  staff staging start static stats status storage store stories styles subscribe support survey sync system tags team
  teams templates terms test theme themes tickets tools tracking training travel updates upload uploads user users
  v1 v2 v3 vendor vendors video videos views web webinars widgets wiki workspace www
`)

/** Names of the last part, without their ending. */
export const PAGES = list(`
  about account agenda agreement archive attachment badge banner billing bookmark brochure budget calendar catalogue
  change chart checklist contact contract cover credits dashboard default details directory draft entry export
  feedback figure footer form forecast gallery guide header help history home icon image index info inventory invoice
  item journal landing layout letter licence list location login logo main manifest map meeting memo menu message
  minutes navigation news note notice office offer order outline overview page payment photo picture pixel plan
  portrait post preview price print privacy profile project quote readme receipt record reference register release
  report request roadmap sales schedule screen section selection sheet signature site sitemap slide spacer statement
  status summary support survey table template terms thumbnail ticket timeline title transfer update view visit
  warranty welcome
`)

/** Of what a page or a document shows as a picture. */
export const PICTURE_ENDINGS = list('.png .gif .jpg')

export const ENDINGS = list('.html .php .aspx .jsp .htm .png .gif .jpg .js .css')
