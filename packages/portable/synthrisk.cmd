@rem Starts synthrisk; its exit code is that of this file.
@"%~dp0node\node.exe" "%~dp0program\dist\synthrisk.mjs" %*
