// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IERC20} from "../lib/Interfaces.sol";
import {IERC20Decimals} from "../lib/PoolInterfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @notice Shares of a pool that cannot be transferred, their price, and the principal of the operator.
abstract contract PoolShares is ReentrancyLock, TokenMoves {
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares);
    event OperatorPrincipalContributed(uint256 assets, uint256 shares, uint256 totalPrincipal);

    error Unauthorized();
    error ZeroAddress();
    error ZeroAmount();
    error ZeroShares();
    error InvalidAssetDecimals();
    error AssetTransferAmountMismatch();
    error SharesNonTransferable();
    error TotalAssetCapExceeded(uint256 attempted, uint256 cap);

    uint8 public constant decimals = 6;
    uint256 public constant PLATFORM_FEE_BPS = 0;

    address public immutable asset;
    address public immutable operator;
    uint256 public totalSupply;
    uint256 public operatorContributedPrincipal;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    /// @notice Shares that wait for the end of a notice.
    mapping(address owner => uint256) public lockedShares;

    modifier onlyOperator() {
        if (msg.sender != operator) revert Unauthorized();
        _;
    }

    constructor(address asset_, address operator_, address otherPool) {
        if (asset_ == address(0) || operator_ == address(0) || otherPool == address(0)) revert ZeroAddress();
        if (IERC20Decimals(asset_).decimals() != decimals) revert InvalidAssetDecimals();
        asset = asset_;
        operator = operator_;
    }

    /// @notice Allows a spender to redeem shares of the caller.
    function approve(address spender, uint256 shares) external returns (bool) {
        allowance[msg.sender][spender] = shares;
        emit Approval(msg.sender, spender, shares);
        return true;
    }

    /// @notice Always refused.
    function transfer(address, uint256) external pure returns (bool) {
        revert SharesNonTransferable();
    }

    /// @notice Always refused.
    function transferFrom(address, address, uint256) external pure returns (bool) {
        revert SharesNonTransferable();
    }

    /// @notice Adds principal of the operator; no call redeems its shares, which sit at the pool's own address.
    function contributeOperatorPrincipal(uint256 assets) external onlyOperator nonReentrant returns (uint256 shares) {
        if (assets == 0) revert ZeroAmount();
        _requireTotalCap(assets);
        shares = convertToShares(assets);
        if (shares == 0) revert ZeroShares();
        _mint(address(this), shares);
        operatorContributedPrincipal += assets;
        _pullExactly(assets);
        emit OperatorPrincipalContributed(assets, shares, operatorContributedPrincipal);
    }

    /// @notice Shares of the operator's principal.
    function operatorPrincipalShares() external view returns (uint256) {
        return balanceOf[address(this)];
    }

    /// @notice What all shares of an account are worth.
    function assetsOf(address account) external view returns (uint256) {
        return convertToAssets(balanceOf[account]);
    }

    /// @notice Tokens that are in the pool now.
    function bufferAssets() public view returns (uint256) {
        return IERC20(asset).balanceOf(address(this));
    }

    /// @notice Shares for an amount, rounded down; none when the pool lost everything.
    function convertToShares(uint256 assets) public view returns (uint256) {
        uint256 supply = totalSupply;
        if (supply == 0) return assets;
        uint256 managed = totalAssets();
        return managed == 0 ? 0 : assets * supply / managed;
    }

    /// @notice Value of shares, rounded down.
    function convertToAssets(uint256 shares) public view returns (uint256) {
        uint256 supply = totalSupply;
        return supply == 0 ? shares : shares * totalAssets() / supply;
    }

    /// @notice Tokens here and principal elsewhere.
    function totalAssets() public view virtual returns (uint256);

    function _totalAssetCap() internal pure virtual returns (uint256);

    function _requireTotalCap(uint256 assets) internal view {
        uint256 attempted = totalAssets() + assets;
        if (attempted > _totalAssetCap()) revert TotalAssetCapExceeded(attempted, _totalAssetCap());
    }

    /// @dev Value of an account's shares after it gets `shares` for `assets`.
    function _valueAfter(address account, uint256 assets, uint256 shares) internal view returns (uint256) {
        uint256 supply = totalSupply + shares;
        return supply == 0 ? assets : (balanceOf[account] + shares) * (totalAssets() + assets) / supply;
    }

    function _mint(address account, uint256 shares) internal {
        totalSupply += shares;
        balanceOf[account] += shares;
        emit Transfer(address(0), account, shares);
    }

    function _burn(address account, uint256 shares) internal {
        balanceOf[account] -= shares;
        totalSupply -= shares;
        emit Transfer(account, address(0), shares);
    }

    /// @dev Takes tokens of the caller and measures what arrives.
    function _pullExactly(uint256 assets) internal {
        uint256 before = bufferAssets();
        _pull(asset, msg.sender, assets);
        if (bufferAssets() != before + assets) revert AssetTransferAmountMismatch();
    }
}
