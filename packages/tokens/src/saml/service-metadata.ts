// Metadata of an app for its identity provider: where the provider posts assertions.
import type { TokenAddress } from '../token.ts'
import { METADATA, PROTOCOL } from './names.ts'
import { escapedMarkup } from '../xml/escape.ts'

/** Its entity id is its address, as many apps have it. */
export const serviceMetadata = ({ url }: Pick<TokenAddress, 'url'>): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${escapedMarkup(url)}">`,
    `  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">`,
    '    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>',
    `    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escapedMarkup(url)}" index="0" isDefault="true"/>`,
    '  </md:SPSSODescriptor>',
    '</md:EntityDescriptor>',
    '',
  ].join('\n')
