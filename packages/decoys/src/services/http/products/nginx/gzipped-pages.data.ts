// Pages of nginx 1.22.1 as it compresses them, by their text.

export const GZIPPED_PAGES: ReadonlyMap<string, string> = new Map([
  [
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n',
    'H4sIAAAAAAAEA7PJKMnNsePlsslITUyxsynJLMlJtTMxMFHwyy9RcMsvzUux0YcI2uiDlQCVJuWnVIK0JKfmlaQW2dlkGKLrAIrY6EOlQWYDFUF5eemZeRX6hnpGRnqGyEr0YYbqQx0EAJeNf72ZAAAA',
  ],
  [
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n',
    'H4sIAAAAAAAEA+2QwQrCMBBE74L/sH5AGlt6XHIRBQ968QtSd20CaSIxgv17E21BPHv0uLNvhmHQpMGp5QINa1KYbHKs2nULx5BgF+6eUL5FlC8ko12gsVjO7BNHhab+dmQF5fQu2RmaLt9b/5B11TRV/YnIOVTOhVZCgIarJrK+hxSA7E13juFw2m9Be4KNiWFguETLntwIHGOI2dEzCFEK/iN+ucUT4nUmgCsCAAA=',
  ],
  [
    '<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>\r\n<center><h1>403 Forbidden</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n',
    'H4sIAAAAAAAEA7PJKMnNsePlsslITUyxsynJLMlJtTMxMFZwyy9KykxJSc2z0YcI2uiDlQCVJuWnVIK0JKfmlaQW2dlkGKLrAIrY6EOlQWYDFUF5eemZeRX6hnpGRnqGyEr0YYbqQx0EANlW9dWZAAAA',
  ],
  [
    '<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>\r\n<center><h1>403 Forbidden</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n',
    'H4sIAAAAAAAEA+2QsQ7CMAxEdyT+wXxAGloYoywIJAYmviDFpomUOshkoH9PCq2EmBkZfX53Op3xuY92uTCeHFqTQ45kt+sNHJK0AZHY6Ldo9AspaJtwGC0X4kxija+/HUUxenqP2QWaLu4CP3RdNU1VfyJ6DtVzoZVS4ODmEAN3kBNguLs2EpzOxz04Rth5ST3BVQIxxgFIJElxdARKjQX/Eb/c4gmn2zD8KwIAAA==',
  ],
])
