// Namespaces of SAML 2.0.
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const XML_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
