// Safe primes for group exchange: a few of each size of the public list that OpenSSH ships as /etc/ssh/moduli.
import type { Group } from './dh-keys.ts'

const group = (bits: number, generator: number, base64: string): Group & { readonly bits: number } => ({
  bits,
  generator,
  prime: Buffer.from(base64, 'base64'),
})

export const moduli: readonly (Group & { readonly bits: number })[] = [
  group(
    2048,
    2,
    '6Y8qIJup9MjB/7AkkOWZqZ++KPagU+JApL1f7egLI/6ooUdunvZgWktLQcx0y5RcfhaKkdsRJCRICoXL9YUyNLmx9g8DDTj2' +
      'eLqArhRh9xbEY9c5YVHrXwN8yIaQ/u+NFqG2f1bBGHTbWqPVQb7/OQB3x5yGQ07bwrRoIdKuXS+k//GwhrB2abCUmOoRsP4m' +
      'x3P3msoETgheC6Q7vh6+lUqh7HpGWjIyaZ5UlYsXYKt6BNlifsGBCXBwbJa1i/hJmevtiEbYs4TLlFv3ghQbG+K3wOBNUxoj' +
      'NNtBu/0b6kKMX9IvULq9vfzFuEj2TLqNA5Y2MR+NhE3/+9d6QpqZIw==',
  ),
  group(
    2048,
    2,
    '6Y8qIJup9MjB/7AkkOWZqZ++KPagU+JApL1f7egLI/6ooUdunvZgWktLQcx0y5RcfhaKkdsRJCRICoXL9YUyNLmx9g8DDTj2' +
      'eLqArhRh9xbEY9c5YVHrXwN8yIaQ/u+NFqG2f1bBGHTbWqPVQb7/OQB3x5yGQ07bwrRoIdKuXS+k//GwhrB2abCUmOoRsP4m' +
      'x3P3msoETgheC6Q7vh6+lUqh7HpGWjIyaZ5UlYsXYKt6BNlifsGBCXBwbJa1i/hJmevtiEbYs4TLlFv3ghQbG+K3wOBNUxoj' +
      'NNtBu/0b6kKMX9IvULq9vfzFuEj2TLqNA5Y2MR+NhE3/+9d6Q0npIw==',
  ),
  group(
    2048,
    2,
    '6Y8qIJup9MjB/7AkkOWZqZ++KPagU+JApL1f7egLI/6ooUdunvZgWktLQcx0y5RcfhaKkdsRJCRICoXL9YUyNLmx9g8DDTj2' +
      'eLqArhRh9xbEY9c5YVHrXwN8yIaQ/u+NFqG2f1bBGHTbWqPVQb7/OQB3x5yGQ07bwrRoIdKuXS+k//GwhrB2abCUmOoRsP4m' +
      'x3P3msoETgheC6Q7vh6+lUqh7HpGWjIyaZ5UlYsXYKt6BNlifsGBCXBwbJa1i/hJmevtiEbYs4TLlFv3ghQbG+K3wOBNUxoj' +
      'NNtBu/0b6kKMX9IvULq9vfzFuEj2TLqNA5Y2MR+NhE3/+9d6Q62xew==',
  ),
  group(
    2048,
    5,
    '6Y8qIJup9MjB/7AkkOWZqZ++KPagU+JApL1f7egLI/6ooUdunvZgWktLQcx0y5RcfhaKkdsRJCRICoXL9YUyNLmx9g8DDTj2' +
      'eLqArhRh9xbEY9c5YVHrXwN8yIaQ/u+NFqG2f1bBGHTbWqPVQb7/OQB3x5yGQ07bwrRoIdKuXS+k//GwhrB2abCUmOoRsP4m' +
      'x3P3msoETgheC6Q7vh6+lUqh7HpGWjIyaZ5UlYsXYKt6BNlifsGBCXBwbJa1i/hJmevtiEbYs4TLlFv3ghQbG+K3wOBNUxoj' +
      'NNtBu/0b6kKMX9IvULq9vfzFuEj2TLqNA5Y2MR+NhE3/+9d6Qqm/tw==',
  ),
  group(
    3072,
    2,
    'xgADvTvqijAwbNUD0A77TtK/akXepWhJWrr40tU6Hguh0sLTZIIZwD9HzVK2d9cjFhFKOIKoo+tixPAC2zJsJ4EaNuMy0SHu' +
      'Qg3d+DB0HxSqlqwNKutagL8xzRjU48AqIr0ZhqkG7sPWNWaf8m3SWnP9dlBmaxAdbEKwpY2WMx4GZsmQtW5PClZJx2/Hulma' +
      'bb4kXzovFqpKkhazr6qT/kC7sRSaZXyTTsQIwGO3EwAn73YkxyGTH+y1Y+8yxo6cJ1pqn4u/VCjLrtCYfNDrS/G/esbzPDf9' +
      'iMegJqvXNfDNc5Wkoi2yKybHiCP7O9yYFQqCVzJZ5k9Aeis8AX0umTPmTvXdq90+dI1QfSH/T3s0UPJkDlHfOZOwZ9uVL4zR' +
      'eb44kACTQ2PiCaz2I10enQfTsOhlxPnqbuuR0rRrgDKyo4kOTcpZBeJpvVvygQVIJD8T+xNpHlNGUzU4UDycqg5W2+dZwYK9' +
      'BGY0YbQ1uNeiDWneM9mK+qMCuGpARR1j',
  ),
  group(
    3072,
    2,
    'xgADvTvqijAwbNUD0A77TtK/akXepWhJWrr40tU6Hguh0sLTZIIZwD9HzVK2d9cjFhFKOIKoo+tixPAC2zJsJ4EaNuMy0SHu' +
      'Qg3d+DB0HxSqlqwNKutagL8xzRjU48AqIr0ZhqkG7sPWNWaf8m3SWnP9dlBmaxAdbEKwpY2WMx4GZsmQtW5PClZJx2/Hulma' +
      'bb4kXzovFqpKkhazr6qT/kC7sRSaZXyTTsQIwGO3EwAn73YkxyGTH+y1Y+8yxo6cJ1pqn4u/VCjLrtCYfNDrS/G/esbzPDf9' +
      'iMegJqvXNfDNc5Wkoi2yKybHiCP7O9yYFQqCVzJZ5k9Aeis8AX0umTPmTvXdq90+dI1QfSH/T3s0UPJkDlHfOZOwZ9uVL4zR' +
      'eb44kACTQ2PiCaz2I10enQfTsOhlxPnqbuuR0rRrgDKyo4kOTcpZBeJpvVvygQVIJD8T+xNpHlNGUzU4UDycqg5W2+dZwYK9' +
      'BGY0YbQ1uNeiDWneM9mK+qMCuGpAXMYb',
  ),
  group(
    3072,
    2,
    'xgADvTvqijAwbNUD0A77TtK/akXepWhJWrr40tU6Hguh0sLTZIIZwD9HzVK2d9cjFhFKOIKoo+tixPAC2zJsJ4EaNuMy0SHu' +
      'Qg3d+DB0HxSqlqwNKutagL8xzRjU48AqIr0ZhqkG7sPWNWaf8m3SWnP9dlBmaxAdbEKwpY2WMx4GZsmQtW5PClZJx2/Hulma' +
      'bb4kXzovFqpKkhazr6qT/kC7sRSaZXyTTsQIwGO3EwAn73YkxyGTH+y1Y+8yxo6cJ1pqn4u/VCjLrtCYfNDrS/G/esbzPDf9' +
      'iMegJqvXNfDNc5Wkoi2yKybHiCP7O9yYFQqCVzJZ5k9Aeis8AX0umTPmTvXdq90+dI1QfSH/T3s0UPJkDlHfOZOwZ9uVL4zR' +
      'eb44kACTQ2PiCaz2I10enQfTsOhlxPnqbuuR0rRrgDKyo4kOTcpZBeJpvVvygQVIJD8T+xNpHlNGUzU4UDycqg5W2+dZwYK9' +
      'BGY0YbQ1uNeiDWneM9mK+qMCuGpAZK3L',
  ),
  group(
    3072,
    5,
    'xgADvTvqijAwbNUD0A77TtK/akXepWhJWrr40tU6Hguh0sLTZIIZwD9HzVK2d9cjFhFKOIKoo+tixPAC2zJsJ4EaNuMy0SHu' +
      'Qg3d+DB0HxSqlqwNKutagL8xzRjU48AqIr0ZhqkG7sPWNWaf8m3SWnP9dlBmaxAdbEKwpY2WMx4GZsmQtW5PClZJx2/Hulma' +
      'bb4kXzovFqpKkhazr6qT/kC7sRSaZXyTTsQIwGO3EwAn73YkxyGTH+y1Y+8yxo6cJ1pqn4u/VCjLrtCYfNDrS/G/esbzPDf9' +
      'iMegJqvXNfDNc5Wkoi2yKybHiCP7O9yYFQqCVzJZ5k9Aeis8AX0umTPmTvXdq90+dI1QfSH/T3s0UPJkDlHfOZOwZ9uVL4zR' +
      'eb44kACTQ2PiCaz2I10enQfTsOhlxPnqbuuR0rRrgDKyo4kOTcpZBeJpvVvygQVIJD8T+xNpHlNGUzU4UDycqg5W2+dZwYK9' +
      'BGY0YbQ1uNeiDWneM9mK+qMCuGpAw9nH',
  ),
  group(
    4096,
    2,
    '7Tj8ndzQHN85yIeHWqCn7/hoIUQIn8M4wG4sE4ZTteeggrU3ulyAqTtxktFTMT3lZgbI4qDK6DcChL463ZfwS9Tr39IamZ4T' +
      'RhtUTEl0LeEgxG0Eb26cVZIuaP88ihFeUecAcTd7YPgSfrkiijMr04r47x2o76cBJJYHBCYgPzvuy7KG4zwFPcBwzZGQdNup' +
      'fhnAgcbNi3Tb32Z09kzXp7Xwt+QLD9YHr1MdVfrKs4yfVQwdYNiWAea6HWumb14Y1MjU1jTEZOx0iiYMKF2EFYzD36m8A5c/' +
      'Mgd/fZLBBDFBc1hLlsQ/Iq/voTXzpMWg2Vm5Y8giejN9rDDYuW91gNZ3Y2Icn1H6qeJkHYFWWBB3ByfvTCX4IQzPYLJIAHBV' +
      'bodOWdkQubGCKxNCDChDvtT6T1y9eCLWUcB8uGV60bNinrM3y6nx+lDoGenewdtWT/vB3vBWEHn5bYq9B0C+LJl/Tu736CRO' +
      'yqbiuoXoMjKSIMJqfwiBZfWDNDwZCyRc7mrkDgHSr6r91QkwLr2YmuZBExFSU4x0lxj9jRZCuYAtrPOUXApEXS7Nz5IfjjYE' +
      'laVkwO5k10Ikz5MRmv9b6gthq78dtnpoIKS/mtYiIH7Ofbns4DtPttadBrvL6s/PYthXY9qluMIjhdX04iNSxu9klUhdAP0B' +
      'n99tYpx9R5M=',
  ),
  group(
    4096,
    2,
    '7Tj8ndzQHN85yIeHWqCn7/hoIUQIn8M4wG4sE4ZTteeggrU3ulyAqTtxktFTMT3lZgbI4qDK6DcChL463ZfwS9Tr39IamZ4T' +
      'RhtUTEl0LeEgxG0Eb26cVZIuaP88ihFeUecAcTd7YPgSfrkiijMr04r47x2o76cBJJYHBCYgPzvuy7KG4zwFPcBwzZGQdNup' +
      'fhnAgcbNi3Tb32Z09kzXp7Xwt+QLD9YHr1MdVfrKs4yfVQwdYNiWAea6HWumb14Y1MjU1jTEZOx0iiYMKF2EFYzD36m8A5c/' +
      'Mgd/fZLBBDFBc1hLlsQ/Iq/voTXzpMWg2Vm5Y8giejN9rDDYuW91gNZ3Y2Icn1H6qeJkHYFWWBB3ByfvTCX4IQzPYLJIAHBV' +
      'bodOWdkQubGCKxNCDChDvtT6T1y9eCLWUcB8uGV60bNinrM3y6nx+lDoGenewdtWT/vB3vBWEHn5bYq9B0C+LJl/Tu736CRO' +
      'yqbiuoXoMjKSIMJqfwiBZfWDNDwZCyRc7mrkDgHSr6r91QkwLr2YmuZBExFSU4x0lxj9jRZCuYAtrPOUXApEXS7Nz5IfjjYE' +
      'laVkwO5k10Ikz5MRmv9b6gthq78dtnpoIKS/mtYiIH7Ofbns4DtPttadBrvL6s/PYthXY9qluMIjhdX04iNSxu9klUhdAP0B' +
      'n99tYp/jZBM=',
  ),
  group(
    4096,
    2,
    '7Tj8ndzQHN85yIeHWqCn7/hoIUQIn8M4wG4sE4ZTteeggrU3ulyAqTtxktFTMT3lZgbI4qDK6DcChL463ZfwS9Tr39IamZ4T' +
      'RhtUTEl0LeEgxG0Eb26cVZIuaP88ihFeUecAcTd7YPgSfrkiijMr04r47x2o76cBJJYHBCYgPzvuy7KG4zwFPcBwzZGQdNup' +
      'fhnAgcbNi3Tb32Z09kzXp7Xwt+QLD9YHr1MdVfrKs4yfVQwdYNiWAea6HWumb14Y1MjU1jTEZOx0iiYMKF2EFYzD36m8A5c/' +
      'Mgd/fZLBBDFBc1hLlsQ/Iq/voTXzpMWg2Vm5Y8giejN9rDDYuW91gNZ3Y2Icn1H6qeJkHYFWWBB3ByfvTCX4IQzPYLJIAHBV' +
      'bodOWdkQubGCKxNCDChDvtT6T1y9eCLWUcB8uGV60bNinrM3y6nx+lDoGenewdtWT/vB3vBWEHn5bYq9B0C+LJl/Tu736CRO' +
      'yqbiuoXoMjKSIMJqfwiBZfWDNDwZCyRc7mrkDgHSr6r91QkwLr2YmuZBExFSU4x0lxj9jRZCuYAtrPOUXApEXS7Nz5IfjjYE' +
      'laVkwO5k10Ikz5MRmv9b6gthq78dtnpoIKS/mtYiIH7Ofbns4DtPttadBrvL6s/PYthXY9qluMIjhdX04iNSxu9klUhdAP0B' +
      'n99tYqAc7/M=',
  ),
  group(
    4096,
    5,
    '7Tj8ndzQHN85yIeHWqCn7/hoIUQIn8M4wG4sE4ZTteeggrU3ulyAqTtxktFTMT3lZgbI4qDK6DcChL463ZfwS9Tr39IamZ4T' +
      'RhtUTEl0LeEgxG0Eb26cVZIuaP88ihFeUecAcTd7YPgSfrkiijMr04r47x2o76cBJJYHBCYgPzvuy7KG4zwFPcBwzZGQdNup' +
      'fhnAgcbNi3Tb32Z09kzXp7Xwt+QLD9YHr1MdVfrKs4yfVQwdYNiWAea6HWumb14Y1MjU1jTEZOx0iiYMKF2EFYzD36m8A5c/' +
      'Mgd/fZLBBDFBc1hLlsQ/Iq/voTXzpMWg2Vm5Y8giejN9rDDYuW91gNZ3Y2Icn1H6qeJkHYFWWBB3ByfvTCX4IQzPYLJIAHBV' +
      'bodOWdkQubGCKxNCDChDvtT6T1y9eCLWUcB8uGV60bNinrM3y6nx+lDoGenewdtWT/vB3vBWEHn5bYq9B0C+LJl/Tu736CRO' +
      'yqbiuoXoMjKSIMJqfwiBZfWDNDwZCyRc7mrkDgHSr6r91QkwLr2YmuZBExFSU4x0lxj9jRZCuYAtrPOUXApEXS7Nz5IfjjYE' +
      'laVkwO5k10Ikz5MRmv9b6gthq78dtnpoIKS/mtYiIH7Ofbns4DtPttadBrvL6s/PYthXY9qluMIjhdX04iNSxu9klUhdAP0B' +
      'n99tYpyCVt8=',
  ),
  group(
    6144,
    2,
    '/7J+LMi3dNc2v+nswOszsbxtTeoeizYK2W6DpyE6kczBEmJLmUgNi358O2pwqWt/JnxP4IAVhCnst3UlyTDVxhv8eFj/TVcf' +
      '58UzzCSosRiO9S3TGwkQIHxrUWapoJfx0Sky6+R7m4dvL+D5NErUtLpFsLu1iQjp1vjaaJ0xiqfB4ZjKKtInIsAMA6OTyL/C' +
      'wDfDNCnO3wZg9XFsvBoVUw7Vo8NouWlzpD8atw6Lp1q7s1yFsV5YtW5cgZa26dPGWiNnhrVXM7ZP1tT0ZnLvt5aWKj4Hq3TF' +
      'l5YembVzvY9gRvicMXym2fSSKiIswOoR6YI/dCk3+w7BqLf8iliBk7KvTC3so+6XJP2IGKB5JEX/Xgt63dPvIoK/Rx9TIv4J' +
      'UNkbm3aIt9E0dBtgukJ9r28JpXwCe+nV/2rxWm27GD6G5MaC/NcRRyA5U3Qlu8LAfZFQMYfl97nOfFdqwMx5l5GXHCP4LCUZ' +
      'Y1+bThvueUHdYC7neOWpnvd/+fz+3AzG+Q4fjiwJ1ZYjfDfsNop4voylSnQGpb8HCIhZZ5Cc6BBlG8eSvYSxgF45ZPMQArZH' +
      'qI+v9X6U9W515chm5D5zYJKLjn2Oic5D9dhOIaMHXpl07QZcglJomU2l4Ku6/cGmY2rriFbGcDypF8ffe2B/fe7NiU5twTPh' +
      'kExzSZcG7HHSeAcmowGfOXWDXrIs2CRRUizRGjiyi9dCsqJ4uIa/+68TVNJI3oHOQejcfN0xJk1TdM1tHlP7B3mKUSLhhxCy' +
      'ZIq/F0o8jzEiK+/KdsP21yQEgxGb6EvbW3LWzIEqIeLDo68cJj3VeUpxYCiUPjSR7dmXbErZALpOW74qUxujuK9r9blSh224' +
      'WnC1xuu934Lk/U5RgnfNqoaCT4La3l9z/GDoHDA1qSzDdCdN3YQAwUStKLK0EOGG0qeZobutW4ixEXvgch2P1VvwI1YgIJqs' +
      '4biymS2+lPgjisfjHHWCAsVIFSrx5P85sHC2UKUuJXk+bjROAnqUzAy5gmnLOsMr',
  ),
  group(
    6144,
    2,
    '/7J+LMi3dNc2v+nswOszsbxtTeoeizYK2W6DpyE6kczBEmJLmUgNi358O2pwqWt/JnxP4IAVhCnst3UlyTDVxhv8eFj/TVcf' +
      '58UzzCSosRiO9S3TGwkQIHxrUWapoJfx0Sky6+R7m4dvL+D5NErUtLpFsLu1iQjp1vjaaJ0xiqfB4ZjKKtInIsAMA6OTyL/C' +
      'wDfDNCnO3wZg9XFsvBoVUw7Vo8NouWlzpD8atw6Lp1q7s1yFsV5YtW5cgZa26dPGWiNnhrVXM7ZP1tT0ZnLvt5aWKj4Hq3TF' +
      'l5YembVzvY9gRvicMXym2fSSKiIswOoR6YI/dCk3+w7BqLf8iliBk7KvTC3so+6XJP2IGKB5JEX/Xgt63dPvIoK/Rx9TIv4J' +
      'UNkbm3aIt9E0dBtgukJ9r28JpXwCe+nV/2rxWm27GD6G5MaC/NcRRyA5U3Qlu8LAfZFQMYfl97nOfFdqwMx5l5GXHCP4LCUZ' +
      'Y1+bThvueUHdYC7neOWpnvd/+fz+3AzG+Q4fjiwJ1ZYjfDfsNop4voylSnQGpb8HCIhZZ5Cc6BBlG8eSvYSxgF45ZPMQArZH' +
      'qI+v9X6U9W515chm5D5zYJKLjn2Oic5D9dhOIaMHXpl07QZcglJomU2l4Ku6/cGmY2rriFbGcDypF8ffe2B/fe7NiU5twTPh' +
      'kExzSZcG7HHSeAcmowGfOXWDXrIs2CRRUizRGjiyi9dCsqJ4uIa/+68TVNJI3oHOQejcfN0xJk1TdM1tHlP7B3mKUSLhhxCy' +
      'ZIq/F0o8jzEiK+/KdsP21yQEgxGb6EvbW3LWzIEqIeLDo68cJj3VeUpxYCiUPjSR7dmXbErZALpOW74qUxujuK9r9blSh224' +
      'WnC1xuu934Lk/U5RgnfNqoaCT4La3l9z/GDoHDA1qSzDdCdN3YQAwUStKLK0EOGG0qeZobutW4ixEXvgch2P1VvwI1YgIJqs' +
      '4biymS2+lPgjisfjHHWCAsVIFSrx5P85sHC2UKUuJXk+bjROAnqUzAy5gmnLu52T',
  ),
  group(
    6144,
    2,
    '/7J+LMi3dNc2v+nswOszsbxtTeoeizYK2W6DpyE6kczBEmJLmUgNi358O2pwqWt/JnxP4IAVhCnst3UlyTDVxhv8eFj/TVcf' +
      '58UzzCSosRiO9S3TGwkQIHxrUWapoJfx0Sky6+R7m4dvL+D5NErUtLpFsLu1iQjp1vjaaJ0xiqfB4ZjKKtInIsAMA6OTyL/C' +
      'wDfDNCnO3wZg9XFsvBoVUw7Vo8NouWlzpD8atw6Lp1q7s1yFsV5YtW5cgZa26dPGWiNnhrVXM7ZP1tT0ZnLvt5aWKj4Hq3TF' +
      'l5YembVzvY9gRvicMXym2fSSKiIswOoR6YI/dCk3+w7BqLf8iliBk7KvTC3so+6XJP2IGKB5JEX/Xgt63dPvIoK/Rx9TIv4J' +
      'UNkbm3aIt9E0dBtgukJ9r28JpXwCe+nV/2rxWm27GD6G5MaC/NcRRyA5U3Qlu8LAfZFQMYfl97nOfFdqwMx5l5GXHCP4LCUZ' +
      'Y1+bThvueUHdYC7neOWpnvd/+fz+3AzG+Q4fjiwJ1ZYjfDfsNop4voylSnQGpb8HCIhZZ5Cc6BBlG8eSvYSxgF45ZPMQArZH' +
      'qI+v9X6U9W515chm5D5zYJKLjn2Oic5D9dhOIaMHXpl07QZcglJomU2l4Ku6/cGmY2rriFbGcDypF8ffe2B/fe7NiU5twTPh' +
      'kExzSZcG7HHSeAcmowGfOXWDXrIs2CRRUizRGjiyi9dCsqJ4uIa/+68TVNJI3oHOQejcfN0xJk1TdM1tHlP7B3mKUSLhhxCy' +
      'ZIq/F0o8jzEiK+/KdsP21yQEgxGb6EvbW3LWzIEqIeLDo68cJj3VeUpxYCiUPjSR7dmXbErZALpOW74qUxujuK9r9blSh224' +
      'WnC1xuu934Lk/U5RgnfNqoaCT4La3l9z/GDoHDA1qSzDdCdN3YQAwUStKLK0EOGG0qeZobutW4ixEXvgch2P1VvwI1YgIJqs' +
      '4biymS2+lPgjisfjHHWCAsVIFSrx5P85sHC2UKUuJXk+bjROAnqUzAy5gmnR0pQr',
  ),
  group(
    6144,
    5,
    '/7J+LMi3dNc2v+nswOszsbxtTeoeizYK2W6DpyE6kczBEmJLmUgNi358O2pwqWt/JnxP4IAVhCnst3UlyTDVxhv8eFj/TVcf' +
      '58UzzCSosRiO9S3TGwkQIHxrUWapoJfx0Sky6+R7m4dvL+D5NErUtLpFsLu1iQjp1vjaaJ0xiqfB4ZjKKtInIsAMA6OTyL/C' +
      'wDfDNCnO3wZg9XFsvBoVUw7Vo8NouWlzpD8atw6Lp1q7s1yFsV5YtW5cgZa26dPGWiNnhrVXM7ZP1tT0ZnLvt5aWKj4Hq3TF' +
      'l5YembVzvY9gRvicMXym2fSSKiIswOoR6YI/dCk3+w7BqLf8iliBk7KvTC3so+6XJP2IGKB5JEX/Xgt63dPvIoK/Rx9TIv4J' +
      'UNkbm3aIt9E0dBtgukJ9r28JpXwCe+nV/2rxWm27GD6G5MaC/NcRRyA5U3Qlu8LAfZFQMYfl97nOfFdqwMx5l5GXHCP4LCUZ' +
      'Y1+bThvueUHdYC7neOWpnvd/+fz+3AzG+Q4fjiwJ1ZYjfDfsNop4voylSnQGpb8HCIhZZ5Cc6BBlG8eSvYSxgF45ZPMQArZH' +
      'qI+v9X6U9W515chm5D5zYJKLjn2Oic5D9dhOIaMHXpl07QZcglJomU2l4Ku6/cGmY2rriFbGcDypF8ffe2B/fe7NiU5twTPh' +
      'kExzSZcG7HHSeAcmowGfOXWDXrIs2CRRUizRGjiyi9dCsqJ4uIa/+68TVNJI3oHOQejcfN0xJk1TdM1tHlP7B3mKUSLhhxCy' +
      'ZIq/F0o8jzEiK+/KdsP21yQEgxGb6EvbW3LWzIEqIeLDo68cJj3VeUpxYCiUPjSR7dmXbErZALpOW74qUxujuK9r9blSh224' +
      'WnC1xuu934Lk/U5RgnfNqoaCT4La3l9z/GDoHDA1qSzDdCdN3YQAwUStKLK0EOGG0qeZobutW4ixEXvgch2P1VvwI1YgIJqs' +
      '4biymS2+lPgjisfjHHWCAsVIFSrx5P85sHC2UKUuJXk+bjROAnqUzAy5gmnP3/VP',
  ),
  group(
    7680,
    2,
    '0piFUH1pHvklkaCWQ+2Zb3y8t7wsEAqz/vUlelkxzGLW6XbIcC+ZYiwAcC96l6jfLFjmzhsIeVVUSm8I5kzFWuYqsvKspcyq' +
      'w/sJPMHQzZZDFrThDBSbcu9GjH1X3EeYCwtGgreeo9siTF4TunuLDNjCa9johPCpa3ftQqdJpFVsFLQXJBv9gHtrmF+EdNU6' +
      'swAuRuhg2mry/EOHwzVA/mTbqDUChxDhqOsFMHKD36FctnKCM0v/9RHUtihMGGILD2SofgJu5XbQwgExTLJP5RPdqawHRwZb' +
      'MVuustesgBzoGXCKIkhAw8LCPzTa7xvtKAkctInryZ57iaKFrcR9PeTdtxpe5BhKZC/44+HmdTb3U0xn0qGWMZtZfXp6Syt9' +
      'hSYTgYpR/2zn0d8BYa1fBv/XZPACY1Shy5RvA+N8FPfdmKn1mnST8oaarjmvBk+B3r88lKCCzNom9cAzZ72h0ZdbXgjNfpHw' +
      'LTU36rtNmLNtfa0kx8s2yFAUjNkRuolYVlP1tYKiPEWaeFFeP8WFGwj47C5oc2vXSI3Fxz/kCmHcf0WByV4g5w5+ywEDZbic' +
      '0jOoF1pM6GJ3DVEmqw5gbNgDBJDjsbBes/CUuCRiWdmpqEQ00CoXPzep+4g4RL++4wd5BklGPE7eDx9o2bYcUABOXziRPRYN' +
      'WtIUosHYXphaKIMWlR/on7d4kMG8FrLemSCAPJvXRjc7DR9C+CkIO8RyXqVzUJq4+drzvDMJtLSimoo3AjpTt7c7XdFygJMp' +
      '3HqWaVPDCmoIJO7lEGV87B+TqcPNIdWOiwS0yHerbRPVddIG2Q7WAem7gkSUSpQc/TgoBs9XdOamFQKmOut0dpuA1l0VX8H1' +
      'rZF3yBMm3BV3UNO4u3XPUs0hOCvpmYP1rVIDURZqS4On8r2NLvsUNJIkbyuvkkeDn9y5R+HrFi4vuM1CSN781yiSloTG8N9y' +
      '8lg37Cp+IwZLn8OFkJiLeaX8kltudWQWfO43TST+sc9ZrV/zemW8uq6ZYd/IBeSe2z32ABwuu8ho6bSkarK/bZ8GDYXpZdt8' +
      'XZ5fTeVnfBoSeib/4SxX/KLtepUMibHK08Tl4nnG0ZfaxTAAUb30oFwvx25X86c2LxRcZRr8muu5YqPX0frQ2/rIM7lo3piK' +
      'T8eZzlVHnYnl9kotvmECkm5JZhoACgsL1J3ngm7vwGON4Q2z5oWR/+2lIb5KbFRHQGspOGYpLPqxzj5ortaT8dPrnuUhli7K' +
      'iNfSYp/Z2j4yTBMa+3i1xBgx/1+V3AAT',
  ),
  group(
    7680,
    2,
    '0piFUH1pHvklkaCWQ+2Zb3y8t7wsEAqz/vUlelkxzGLW6XbIcC+ZYiwAcC96l6jfLFjmzhsIeVVUSm8I5kzFWuYqsvKspcyq' +
      'w/sJPMHQzZZDFrThDBSbcu9GjH1X3EeYCwtGgreeo9siTF4TunuLDNjCa9johPCpa3ftQqdJpFVsFLQXJBv9gHtrmF+EdNU6' +
      'swAuRuhg2mry/EOHwzVA/mTbqDUChxDhqOsFMHKD36FctnKCM0v/9RHUtihMGGILD2SofgJu5XbQwgExTLJP5RPdqawHRwZb' +
      'MVuustesgBzoGXCKIkhAw8LCPzTa7xvtKAkctInryZ57iaKFrcR9PeTdtxpe5BhKZC/44+HmdTb3U0xn0qGWMZtZfXp6Syt9' +
      'hSYTgYpR/2zn0d8BYa1fBv/XZPACY1Shy5RvA+N8FPfdmKn1mnST8oaarjmvBk+B3r88lKCCzNom9cAzZ72h0ZdbXgjNfpHw' +
      'LTU36rtNmLNtfa0kx8s2yFAUjNkRuolYVlP1tYKiPEWaeFFeP8WFGwj47C5oc2vXSI3Fxz/kCmHcf0WByV4g5w5+ywEDZbic' +
      '0jOoF1pM6GJ3DVEmqw5gbNgDBJDjsbBes/CUuCRiWdmpqEQ00CoXPzep+4g4RL++4wd5BklGPE7eDx9o2bYcUABOXziRPRYN' +
      'WtIUosHYXphaKIMWlR/on7d4kMG8FrLemSCAPJvXRjc7DR9C+CkIO8RyXqVzUJq4+drzvDMJtLSimoo3AjpTt7c7XdFygJMp' +
      '3HqWaVPDCmoIJO7lEGV87B+TqcPNIdWOiwS0yHerbRPVddIG2Q7WAem7gkSUSpQc/TgoBs9XdOamFQKmOut0dpuA1l0VX8H1' +
      'rZF3yBMm3BV3UNO4u3XPUs0hOCvpmYP1rVIDURZqS4On8r2NLvsUNJIkbyuvkkeDn9y5R+HrFi4vuM1CSN781yiSloTG8N9y' +
      '8lg37Cp+IwZLn8OFkJiLeaX8kltudWQWfO43TST+sc9ZrV/zemW8uq6ZYd/IBeSe2z32ABwuu8ho6bSkarK/bZ8GDYXpZdt8' +
      'XZ5fTeVnfBoSeib/4SxX/KLtepUMibHK08Tl4nnG0ZfaxTAAUb30oFwvx25X86c2LxRcZRr8muu5YqPX0frQ2/rIM7lo3piK' +
      'T8eZzlVHnYnl9kotvmECkm5JZhoACgsL1J3ngm7vwGON4Q2z5oWR/+2lIb5KbFRHQGspOGYpLPqxzj5ortaT8dPrnuUhli7K' +
      'iNfSYp/Z2j4yTBMa+3i1xBgx/1+WuF4j',
  ),
  group(
    7680,
    2,
    '0piFUH1pHvklkaCWQ+2Zb3y8t7wsEAqz/vUlelkxzGLW6XbIcC+ZYiwAcC96l6jfLFjmzhsIeVVUSm8I5kzFWuYqsvKspcyq' +
      'w/sJPMHQzZZDFrThDBSbcu9GjH1X3EeYCwtGgreeo9siTF4TunuLDNjCa9johPCpa3ftQqdJpFVsFLQXJBv9gHtrmF+EdNU6' +
      'swAuRuhg2mry/EOHwzVA/mTbqDUChxDhqOsFMHKD36FctnKCM0v/9RHUtihMGGILD2SofgJu5XbQwgExTLJP5RPdqawHRwZb' +
      'MVuustesgBzoGXCKIkhAw8LCPzTa7xvtKAkctInryZ57iaKFrcR9PeTdtxpe5BhKZC/44+HmdTb3U0xn0qGWMZtZfXp6Syt9' +
      'hSYTgYpR/2zn0d8BYa1fBv/XZPACY1Shy5RvA+N8FPfdmKn1mnST8oaarjmvBk+B3r88lKCCzNom9cAzZ72h0ZdbXgjNfpHw' +
      'LTU36rtNmLNtfa0kx8s2yFAUjNkRuolYVlP1tYKiPEWaeFFeP8WFGwj47C5oc2vXSI3Fxz/kCmHcf0WByV4g5w5+ywEDZbic' +
      '0jOoF1pM6GJ3DVEmqw5gbNgDBJDjsbBes/CUuCRiWdmpqEQ00CoXPzep+4g4RL++4wd5BklGPE7eDx9o2bYcUABOXziRPRYN' +
      'WtIUosHYXphaKIMWlR/on7d4kMG8FrLemSCAPJvXRjc7DR9C+CkIO8RyXqVzUJq4+drzvDMJtLSimoo3AjpTt7c7XdFygJMp' +
      '3HqWaVPDCmoIJO7lEGV87B+TqcPNIdWOiwS0yHerbRPVddIG2Q7WAem7gkSUSpQc/TgoBs9XdOamFQKmOut0dpuA1l0VX8H1' +
      'rZF3yBMm3BV3UNO4u3XPUs0hOCvpmYP1rVIDURZqS4On8r2NLvsUNJIkbyuvkkeDn9y5R+HrFi4vuM1CSN781yiSloTG8N9y' +
      '8lg37Cp+IwZLn8OFkJiLeaX8kltudWQWfO43TST+sc9ZrV/zemW8uq6ZYd/IBeSe2z32ABwuu8ho6bSkarK/bZ8GDYXpZdt8' +
      'XZ5fTeVnfBoSeib/4SxX/KLtepUMibHK08Tl4nnG0ZfaxTAAUb30oFwvx25X86c2LxRcZRr8muu5YqPX0frQ2/rIM7lo3piK' +
      'T8eZzlVHnYnl9kotvmECkm5JZhoACgsL1J3ngm7vwGON4Q2z5oWR/+2lIb5KbFRHQGspOGYpLPqxzj5ortaT8dPrnuUhli7K' +
      'iNfSYp/Z2j4yTBMa+3i1xBgx/1+jvZyT',
  ),
  group(
    7680,
    5,
    '0piFUH1pHvklkaCWQ+2Zb3y8t7wsEAqz/vUlelkxzGLW6XbIcC+ZYiwAcC96l6jfLFjmzhsIeVVUSm8I5kzFWuYqsvKspcyq' +
      'w/sJPMHQzZZDFrThDBSbcu9GjH1X3EeYCwtGgreeo9siTF4TunuLDNjCa9johPCpa3ftQqdJpFVsFLQXJBv9gHtrmF+EdNU6' +
      'swAuRuhg2mry/EOHwzVA/mTbqDUChxDhqOsFMHKD36FctnKCM0v/9RHUtihMGGILD2SofgJu5XbQwgExTLJP5RPdqawHRwZb' +
      'MVuustesgBzoGXCKIkhAw8LCPzTa7xvtKAkctInryZ57iaKFrcR9PeTdtxpe5BhKZC/44+HmdTb3U0xn0qGWMZtZfXp6Syt9' +
      'hSYTgYpR/2zn0d8BYa1fBv/XZPACY1Shy5RvA+N8FPfdmKn1mnST8oaarjmvBk+B3r88lKCCzNom9cAzZ72h0ZdbXgjNfpHw' +
      'LTU36rtNmLNtfa0kx8s2yFAUjNkRuolYVlP1tYKiPEWaeFFeP8WFGwj47C5oc2vXSI3Fxz/kCmHcf0WByV4g5w5+ywEDZbic' +
      '0jOoF1pM6GJ3DVEmqw5gbNgDBJDjsbBes/CUuCRiWdmpqEQ00CoXPzep+4g4RL++4wd5BklGPE7eDx9o2bYcUABOXziRPRYN' +
      'WtIUosHYXphaKIMWlR/on7d4kMG8FrLemSCAPJvXRjc7DR9C+CkIO8RyXqVzUJq4+drzvDMJtLSimoo3AjpTt7c7XdFygJMp' +
      '3HqWaVPDCmoIJO7lEGV87B+TqcPNIdWOiwS0yHerbRPVddIG2Q7WAem7gkSUSpQc/TgoBs9XdOamFQKmOut0dpuA1l0VX8H1' +
      'rZF3yBMm3BV3UNO4u3XPUs0hOCvpmYP1rVIDURZqS4On8r2NLvsUNJIkbyuvkkeDn9y5R+HrFi4vuM1CSN781yiSloTG8N9y' +
      '8lg37Cp+IwZLn8OFkJiLeaX8kltudWQWfO43TST+sc9ZrV/zemW8uq6ZYd/IBeSe2z32ABwuu8ho6bSkarK/bZ8GDYXpZdt8' +
      'XZ5fTeVnfBoSeib/4SxX/KLtepUMibHK08Tl4nnG0ZfaxTAAUb30oFwvx25X86c2LxRcZRr8muu5YqPX0frQ2/rIM7lo3piK' +
      'T8eZzlVHnYnl9kotvmECkm5JZhoACgsL1J3ngm7vwGON4Q2z5oWR/+2lIb5KbFRHQGspOGYpLPqxzj5ortaT8dPrnuUhli7K' +
      'iNfSYp/Z2j4yTBMa+3i1xBgx/1+SpSuv',
  ),
  group(
    8192,
    2,
    '8veiuvUKQfvM3lVOVhQJmTscbkEzIpysZ8ed5f7B+fvr7MzoODaPv6k/d0rQLpn2X4s/VrMEdjj+NRZ9BIqVHjoxfO2ShGuU' +
      'pjmgs9XwmLNb2owTmo6xhew/hDpnePq07sTdGyDwcbyeUHX3rvFTHMj7EuZNSKR4u8OY1p4SBml17CqWvMbRVfsL2gPE1OgX' +
      '3M8yDo80RHqUxk4ouPhNB8CL3aEhXMNw7165cKde1PittH82sTSjQw2qWf71XNS5eG9pOwm8nD5vH3Rbq7xvWJK8TkFr2gK9' +
      'Wd18djF5sol8vK8oTgot4I5OMrsfZhadg/oCBseWIYShVSfHyo7wSvh5IZM6K5xhQUWv7HFcgzkkuMhj5+IKB6ohpyxFC7xE' +
      'a5tRQH2QJhzeNCxdWFoEgtuP/JW3KZLtXYCFuKOoM1oUI/dxWrg9tNiLtZmycrj4C+PAOwo8T3wvJIaYT+E8qORRDqM7Rb14' +
      'LUFa7hwiiF0Qu10WUh6JBwVK3i+oXYKEuJhJsFaWrBetmSect2degmHt/Xzziw5xTkwSbRM2NCK50Ql8WQ3U3oChz3hystj2' +
      'lRh37rkdxMJPR8mUlnZWUkTbO5I+42juQ3INwYbpawtuCQjZZ8xdXAVWWZeGaPzOA/jR8Iep7xJEa6h/9DRddX9HfBqDi17w' +
      'qfRccSqBR6ceqI+9o7mn0btaR3pMIk9fBnJx4Ty8qa+8RE+jQLVZh7odImMQf0lbrSABspbF6fcAp8nDyWblB0KKj50KVeJA' +
      '9OMPPk5hWeRkMR/6PfxBjdi18oZA5soJ2KdiB/l4A4o+ihTGajI38OCZ4WlltyVzzpuJViL/dgbuVOUdDQ9HAoDtxCxvbg4p' +
      'iswffc3+OxKZvld0yFhMEe25qJp/8+iZzUp0gW77IiPVIM7r2C0J9M50G7wOCwxZfBSubCklXIyKXok1P8Gnvb1eMp1NhQ2v' +
      'ZYUdI5MUJv676AIXVicnqQiGl8fu0xU72UdfuFpKRDpxaAxwMq3dOgP0ts64/dddoMqTMsblzir66SH5izf+imTrsa8/KdHR' +
      '3o8jKPPIsta7ir8A3oLM2qAVYGFhYWPhr5tlq1TQeg2Sfac8kwTCFK568AvFe3Wd/dEsxpR0I7v89RlJ4Z9sHNb7II/0PIzM' +
      'idEysOtKbGbB8+vdqqVTuzKKsPicnQsoodvl2DAqEzMSDTvu+X8K0BQ5xEke5WDQXreeYtFDKL5jw9jTuXlz/vRKI/HcxnSj' +
      'LsheKmg38ngmI9Ce1lgySRJJikq5JbpVzmrIn6HHOtr8EquAiiWknxMB7pkTFs7gXZIpCQjcnFcJz5kSVw61beNQ20YExAE4' +
      'Cy8f/ChpQJssWpEiIe9fww==',
  ),
  group(
    8192,
    2,
    '8veiuvUKQfvM3lVOVhQJmTscbkEzIpysZ8ed5f7B+fvr7MzoODaPv6k/d0rQLpn2X4s/VrMEdjj+NRZ9BIqVHjoxfO2ShGuU' +
      'pjmgs9XwmLNb2owTmo6xhew/hDpnePq07sTdGyDwcbyeUHX3rvFTHMj7EuZNSKR4u8OY1p4SBml17CqWvMbRVfsL2gPE1OgX' +
      '3M8yDo80RHqUxk4ouPhNB8CL3aEhXMNw7165cKde1PittH82sTSjQw2qWf71XNS5eG9pOwm8nD5vH3Rbq7xvWJK8TkFr2gK9' +
      'Wd18djF5sol8vK8oTgot4I5OMrsfZhadg/oCBseWIYShVSfHyo7wSvh5IZM6K5xhQUWv7HFcgzkkuMhj5+IKB6ohpyxFC7xE' +
      'a5tRQH2QJhzeNCxdWFoEgtuP/JW3KZLtXYCFuKOoM1oUI/dxWrg9tNiLtZmycrj4C+PAOwo8T3wvJIaYT+E8qORRDqM7Rb14' +
      'LUFa7hwiiF0Qu10WUh6JBwVK3i+oXYKEuJhJsFaWrBetmSect2degmHt/Xzziw5xTkwSbRM2NCK50Ql8WQ3U3oChz3hystj2' +
      'lRh37rkdxMJPR8mUlnZWUkTbO5I+42juQ3INwYbpawtuCQjZZ8xdXAVWWZeGaPzOA/jR8Iep7xJEa6h/9DRddX9HfBqDi17w' +
      'qfRccSqBR6ceqI+9o7mn0btaR3pMIk9fBnJx4Ty8qa+8RE+jQLVZh7odImMQf0lbrSABspbF6fcAp8nDyWblB0KKj50KVeJA' +
      '9OMPPk5hWeRkMR/6PfxBjdi18oZA5soJ2KdiB/l4A4o+ihTGajI38OCZ4WlltyVzzpuJViL/dgbuVOUdDQ9HAoDtxCxvbg4p' +
      'iswffc3+OxKZvld0yFhMEe25qJp/8+iZzUp0gW77IiPVIM7r2C0J9M50G7wOCwxZfBSubCklXIyKXok1P8Gnvb1eMp1NhQ2v' +
      'ZYUdI5MUJv676AIXVicnqQiGl8fu0xU72UdfuFpKRDpxaAxwMq3dOgP0ts64/dddoMqTMsblzir66SH5izf+imTrsa8/KdHR' +
      '3o8jKPPIsta7ir8A3oLM2qAVYGFhYWPhr5tlq1TQeg2Sfac8kwTCFK568AvFe3Wd/dEsxpR0I7v89RlJ4Z9sHNb7II/0PIzM' +
      'idEysOtKbGbB8+vdqqVTuzKKsPicnQsoodvl2DAqEzMSDTvu+X8K0BQ5xEke5WDQXreeYtFDKL5jw9jTuXlz/vRKI/HcxnSj' +
      'LsheKmg38ngmI9Ce1lgySRJJikq5JbpVzmrIn6HHOtr8EquAiiWknxMB7pkTFs7gXZIpCQjcnFcJz5kSVw61beNQ20YExAE4' +
      'Cy8f/ChpQJssWpEiJRyI6w==',
  ),
  group(
    8192,
    2,
    '8veiuvUKQfvM3lVOVhQJmTscbkEzIpysZ8ed5f7B+fvr7MzoODaPv6k/d0rQLpn2X4s/VrMEdjj+NRZ9BIqVHjoxfO2ShGuU' +
      'pjmgs9XwmLNb2owTmo6xhew/hDpnePq07sTdGyDwcbyeUHX3rvFTHMj7EuZNSKR4u8OY1p4SBml17CqWvMbRVfsL2gPE1OgX' +
      '3M8yDo80RHqUxk4ouPhNB8CL3aEhXMNw7165cKde1PittH82sTSjQw2qWf71XNS5eG9pOwm8nD5vH3Rbq7xvWJK8TkFr2gK9' +
      'Wd18djF5sol8vK8oTgot4I5OMrsfZhadg/oCBseWIYShVSfHyo7wSvh5IZM6K5xhQUWv7HFcgzkkuMhj5+IKB6ohpyxFC7xE' +
      'a5tRQH2QJhzeNCxdWFoEgtuP/JW3KZLtXYCFuKOoM1oUI/dxWrg9tNiLtZmycrj4C+PAOwo8T3wvJIaYT+E8qORRDqM7Rb14' +
      'LUFa7hwiiF0Qu10WUh6JBwVK3i+oXYKEuJhJsFaWrBetmSect2degmHt/Xzziw5xTkwSbRM2NCK50Ql8WQ3U3oChz3hystj2' +
      'lRh37rkdxMJPR8mUlnZWUkTbO5I+42juQ3INwYbpawtuCQjZZ8xdXAVWWZeGaPzOA/jR8Iep7xJEa6h/9DRddX9HfBqDi17w' +
      'qfRccSqBR6ceqI+9o7mn0btaR3pMIk9fBnJx4Ty8qa+8RE+jQLVZh7odImMQf0lbrSABspbF6fcAp8nDyWblB0KKj50KVeJA' +
      '9OMPPk5hWeRkMR/6PfxBjdi18oZA5soJ2KdiB/l4A4o+ihTGajI38OCZ4WlltyVzzpuJViL/dgbuVOUdDQ9HAoDtxCxvbg4p' +
      'iswffc3+OxKZvld0yFhMEe25qJp/8+iZzUp0gW77IiPVIM7r2C0J9M50G7wOCwxZfBSubCklXIyKXok1P8Gnvb1eMp1NhQ2v' +
      'ZYUdI5MUJv676AIXVicnqQiGl8fu0xU72UdfuFpKRDpxaAxwMq3dOgP0ts64/dddoMqTMsblzir66SH5izf+imTrsa8/KdHR' +
      '3o8jKPPIsta7ir8A3oLM2qAVYGFhYWPhr5tlq1TQeg2Sfac8kwTCFK568AvFe3Wd/dEsxpR0I7v89RlJ4Z9sHNb7II/0PIzM' +
      'idEysOtKbGbB8+vdqqVTuzKKsPicnQsoodvl2DAqEzMSDTvu+X8K0BQ5xEke5WDQXreeYtFDKL5jw9jTuXlz/vRKI/HcxnSj' +
      'LsheKmg38ngmI9Ce1lgySRJJikq5JbpVzmrIn6HHOtr8EquAiiWknxMB7pkTFs7gXZIpCQjcnFcJz5kSVw61beNQ20YExAE4' +
      'Cy8f/ChpQJssWpEiJkai6w==',
  ),
  group(
    8192,
    5,
    '8veiuvUKQfvM3lVOVhQJmTscbkEzIpysZ8ed5f7B+fvr7MzoODaPv6k/d0rQLpn2X4s/VrMEdjj+NRZ9BIqVHjoxfO2ShGuU' +
      'pjmgs9XwmLNb2owTmo6xhew/hDpnePq07sTdGyDwcbyeUHX3rvFTHMj7EuZNSKR4u8OY1p4SBml17CqWvMbRVfsL2gPE1OgX' +
      '3M8yDo80RHqUxk4ouPhNB8CL3aEhXMNw7165cKde1PittH82sTSjQw2qWf71XNS5eG9pOwm8nD5vH3Rbq7xvWJK8TkFr2gK9' +
      'Wd18djF5sol8vK8oTgot4I5OMrsfZhadg/oCBseWIYShVSfHyo7wSvh5IZM6K5xhQUWv7HFcgzkkuMhj5+IKB6ohpyxFC7xE' +
      'a5tRQH2QJhzeNCxdWFoEgtuP/JW3KZLtXYCFuKOoM1oUI/dxWrg9tNiLtZmycrj4C+PAOwo8T3wvJIaYT+E8qORRDqM7Rb14' +
      'LUFa7hwiiF0Qu10WUh6JBwVK3i+oXYKEuJhJsFaWrBetmSect2degmHt/Xzziw5xTkwSbRM2NCK50Ql8WQ3U3oChz3hystj2' +
      'lRh37rkdxMJPR8mUlnZWUkTbO5I+42juQ3INwYbpawtuCQjZZ8xdXAVWWZeGaPzOA/jR8Iep7xJEa6h/9DRddX9HfBqDi17w' +
      'qfRccSqBR6ceqI+9o7mn0btaR3pMIk9fBnJx4Ty8qa+8RE+jQLVZh7odImMQf0lbrSABspbF6fcAp8nDyWblB0KKj50KVeJA' +
      '9OMPPk5hWeRkMR/6PfxBjdi18oZA5soJ2KdiB/l4A4o+ihTGajI38OCZ4WlltyVzzpuJViL/dgbuVOUdDQ9HAoDtxCxvbg4p' +
      'iswffc3+OxKZvld0yFhMEe25qJp/8+iZzUp0gW77IiPVIM7r2C0J9M50G7wOCwxZfBSubCklXIyKXok1P8Gnvb1eMp1NhQ2v' +
      'ZYUdI5MUJv676AIXVicnqQiGl8fu0xU72UdfuFpKRDpxaAxwMq3dOgP0ts64/dddoMqTMsblzir66SH5izf+imTrsa8/KdHR' +
      '3o8jKPPIsta7ir8A3oLM2qAVYGFhYWPhr5tlq1TQeg2Sfac8kwTCFK568AvFe3Wd/dEsxpR0I7v89RlJ4Z9sHNb7II/0PIzM' +
      'idEysOtKbGbB8+vdqqVTuzKKsPicnQsoodvl2DAqEzMSDTvu+X8K0BQ5xEke5WDQXreeYtFDKL5jw9jTuXlz/vRKI/HcxnSj' +
      'LsheKmg38ngmI9Ce1lgySRJJikq5JbpVzmrIn6HHOtr8EquAiiWknxMB7pkTFs7gXZIpCQjcnFcJz5kSVw61beNQ20YExAE4' +
      'Cy8f/ChpQJssWpEiTRekfw==',
  ),
]
