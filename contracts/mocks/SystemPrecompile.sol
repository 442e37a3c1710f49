// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @title SystemPrecompile
/// @notice Stands in for the precompile of the native side: it keeps the native accounts of the local chain, and answers as the real one which
/// account id an address belongs to. Its state begins empty: the local chain sets its code, so nothing constructs it.
contract SystemPrecompile {
    struct Balance {
        uint256 free;
        uint256 held;
    }

    error AccountNotFunded(uint256 free, uint256 needed);
    error AccountIsEthereum(bytes32 account);
    error AlreadyMapped(bytes32 account);
    error NotMapped(bytes32 account);
    error TransferFailed(address to);

    /// @notice Below it an account does not exist: 0.01 in units of the native side, which has 10 decimals.
    uint256 public constant minimumBalance = 10 ** 8;
    /// @notice The same in wei.
    uint256 private constant MINIMUM = 0.01 ether;
    /// @notice Held while an account is mapped, wei: one item of 0.2, and 52 bytes of 0.00001.
    uint256 public constant mappingDeposit = 0.20052 ether;

    mapping(address => bytes32) private _accountOf;
    /// @notice What an account has, wei.
    mapping(bytes32 => Balance) public balances;

    /// @notice The account id that the address is mapped to, else the address with twelve bytes 0xEE.
    function toAccountId(address owner) external view returns (bytes memory) {
        bytes32 account = _accountOf[owner];
        return account == 0 ? abi.encodePacked(owner, bytes12(type(uint96).max / 0xFF * 0xEE)) : abi.encodePacked(account);
    }

    /// @notice Adds what is sent to the free balance of an account.
    function fund(bytes32 account) external payable {
        balances[account].free += msg.value;
        _requireFree(account, MINIMUM);
    }

    /// @notice Maps an account to its address and holds the deposit.
    function mapAccount(bytes32 account) external {
        if (uint96(uint256(account)) == type(uint96).max / 0xFF * 0xEE) revert AccountIsEthereum(account);
        if (isMapped(account)) revert AlreadyMapped(account);
        _requireFree(account, mappingDeposit + MINIMUM);
        balances[account].free -= mappingDeposit;
        balances[account].held += mappingDeposit;
        _accountOf[addressOf(account)] = account;
    }

    /// @notice Ends the mapping of an account and releases its deposit.
    function unmapAccount(bytes32 account) external {
        if (!isMapped(account)) revert NotMapped(account);
        Balance storage balance = balances[account];
        balance.free += balance.held;
        balance.held = 0;
        delete _accountOf[addressOf(account)];
    }

    /// @notice Pays from the free balance of an account, which keeps the minimum.
    function transfer(bytes32 account, address payable to, uint256 amount) external {
        _requireFree(account, amount + MINIMUM);
        balances[account].free -= amount;
        _pay(to, amount);
    }

    /// @notice Ends an account as one whose balance fell below the minimum: its mapping ends too, and the caller gets what it had.
    function reap(bytes32 account) external {
        Balance memory balance = balances[account];
        delete balances[account];
        if (isMapped(account)) delete _accountOf[addressOf(account)];
        _pay(payable(msg.sender), balance.free + balance.held);
    }

    /// @notice Whether the address of an account is mapped to it.
    function isMapped(bytes32 account) public view returns (bool) {
        return account != 0 && _accountOf[addressOf(account)] == account;
    }

    /// @notice The address of an account that is not made of an address.
    function addressOf(bytes32 account) public pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(account)))));
    }

    function _requireFree(bytes32 account, uint256 needed) private view {
        uint256 free = balances[account].free;
        if (free < needed) revert AccountNotFunded(free, needed);
    }

    function _pay(address payable to, uint256 amount) private {
        (bool paid,) = to.call{value: amount}("");
        if (!paid) revert TransferFailed(to);
    }
}
