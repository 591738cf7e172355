"""What LocalStack needs to run Lambda functions without Docker."""
