// The descriptions of a machine with one disk and one network card, as VMware reads them.

/** What the machine is given. */
export const MEMORY_MB = 256
export const CPUS = 2

export const NAME = 'rookery-bird'

/** Open Virtualization Format 1.1 (DMTF DSP0243): what VMware, VirtualBox and Proxmox import. */
export const ovfOf = (disk: {
  readonly filename: string
  readonly size: number
  readonly capacity: number
}): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf">
  <References>
    <File ovf:id="file1" ovf:href="${disk.filename}" ovf:size="${disk.size}"/>
  </References>
  <DiskSection>
    <Info>Disks</Info>
    <Disk ovf:diskId="disk1" ovf:fileRef="file1" ovf:capacity="${disk.capacity}" ovf:format="http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized"/>
  </DiskSection>
  <NetworkSection>
    <Info>Networks</Info>
    <Network ovf:name="network">
      <Description>The network that the Bird watches; it gives addresses by DHCP</Description>
    </Network>
  </NetworkSection>
  <VirtualSystem ovf:id="${NAME}">
    <Info>A machine</Info>
    <Name>${NAME}</Name>
    <OperatingSystemSection ovf:id="96" vmw:osType="debian10_64Guest">
      <Info>Operating system</Info>
    </OperatingSystemSection>
    <VirtualHardwareSection>
      <Info>Hardware</Info>
      <System>
        <vssd:ElementName>Hardware</vssd:ElementName>
        <vssd:InstanceID>0</vssd:InstanceID>
        <vssd:VirtualSystemIdentifier>${NAME}</vssd:VirtualSystemIdentifier>
        <vssd:VirtualSystemType>vmx-10</vssd:VirtualSystemType>
      </System>
${[
  item({ ElementName: 'Processors', InstanceID: 1, ResourceType: 3, VirtualQuantity: CPUS }),
  item({
    AllocationUnits: 'byte * 2^20',
    ElementName: 'Memory',
    InstanceID: 2,
    ResourceType: 4,
    VirtualQuantity: MEMORY_MB,
  }),
  item({ Address: 0, ElementName: 'Disks', InstanceID: 3, ResourceType: 5 }),
  item({
    AddressOnParent: 0,
    ElementName: 'Disk',
    HostResource: 'ovf:/disk/disk1',
    InstanceID: 4,
    Parent: 3,
    ResourceType: 17,
  }),
  item({
    AddressOnParent: 7,
    AutomaticAllocation: 'true',
    Connection: 'network',
    ElementName: 'Network card',
    InstanceID: 5,
    ResourceSubType: 'VmxNet3',
    ResourceType: 10,
  }),
].join('\n')}
    </VirtualHardwareSection>
  </VirtualSystem>
</Envelope>
`

/** The schema wants the fields in the order of their names. */
const item = (fields: Readonly<Record<string, string | number>>): string =>
  `      <Item>\n${Object.entries(fields)
    .map(([name, value]) => `        <rasd:${name}>${value}</rasd:${name}>\n`)
    .join('')}      </Item>`

export const vmxOf = (disk: string): string => {
  const settings = {
    '.encoding': 'UTF-8',
    'config.version': '8',
    'virtualHW.version': '10',
    displayName: NAME,
    guestOS: 'debian10-64',
    memsize: String(MEMORY_MB),
    numvcpus: String(CPUS),
    'ide0:0.present': 'TRUE',
    'ide0:0.fileName': disk,
    'ethernet0.present': 'TRUE',
    'ethernet0.virtualDev': 'vmxnet3',
    'ethernet0.connectionType': 'bridged',
    'ethernet0.addressType': 'generated',
    'pciBridge0.present': 'TRUE',
    'pciBridge4.present': 'TRUE',
    'pciBridge4.virtualDev': 'pcieRootPort',
    'pciBridge4.functions': '8',
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = "${value}"\n`)
    .join('')
}
